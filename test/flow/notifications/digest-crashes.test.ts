import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { QUEUE_NAMES } from '../../../jobs/queues';
import { inPoolTransaction } from '../../../src/storage/transaction';
import { buildAlarms } from '../../support/alarm';
import { create } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { startWorkerElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

const LIMIT = 3;
const SENSORS = 24;
/** So many of the deliveries at least wait in a digest when the first worker is killed. */
const KEPT = 5;

describe('digests whose workers are killed', () => {
  const mailbox = Mailbox.use();
  const settings = () => ({ ...mailbox.settings, DIGEST_AFTER: String(LIMIT), MAIL_CONFIRMATION: 'off' });
  const platform = usePlatform(() => ({ config: settings() }));
  const receiver = useReceiver();
  const user = useUser(platform);
  const names = Array.from({ length: SENSORS }, (_, index) => `house-${index}-north`);
  let worker: ChildProcess | undefined;

  after(() => worker?.kill('SIGKILL'));

  const start = async () => {
    worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl, settings());
    return worker;
  };
  /** Kills a worker and empties Redis; its leases expire, which takes eight seconds otherwise. */
  const lose = async (killed: ChildProcess) => {
    if (killed.signalCode === null) {
      const ended = once(killed, 'exit');
      killed.kill('SIGKILL');
      await ended;
    }
    const { redis, config } = platform.container;
    const keys = await redis.keys(`*{${config.redisPrefix}}*`);
    if (keys.length > 0) await redis.del(...keys);
    await platform.query('UPDATE deliveries SET lease_until_ms = 1 WHERE lease IS NOT NULL');
  };
  /** The minutes of the digests are over. Workers write the same rows, and it may lose to them. */
  const endMinutes = () =>
    inPoolTransaction(platform.container.database.pool, (connection) =>
      connection.query(
        `UPDATE deliveries SET next_attempt_ms = 1
         WHERE digest_minute_ms IS NOT NULL AND status = 'pending' AND attempts = 0 AND lease IS NULL`,
      ),
    );
  const count = async (condition: string) =>
    Number((await platform.query(`SELECT COUNT(*) AS total FROM deliveries WHERE ${condition}`))[0]?.total);

  /** Sensors with one trigger, a notification to the mailbox and one to the receiver; all of them fire. */
  const fire = async () => {
    const { sensorIds } = await buildAlarms(user, {
      sensors: names.map((name) => ({ name })),
      trigger: { name: 'too warm' },
      notifications: [
        { type: 'email', destination: 'ward@example.org', text: '$sensor_name' },
        { destination: receiver.url, text: '$sensor_name', format: 'json', digest: true },
      ],
    });
    await create(user, '/sensors/data', {
      sensors: sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 31 }] })),
    });
  };

  it('lose and double nothing, while they are kept, before they are sent and during that', async () => {
    const first = await start();
    await fire();
    await until('some are kept', async () => (await count('digest_id IS NOT NULL')) >= KEPT);
    await lose(first);

    const second = await start();
    await until(
      'all are sent or kept',
      async () => (await count("status = 'pending' AND digest_id IS NULL AND digest_minute_ms IS NULL")) === 0,
    );
    const isDigest = (body: string) => body.includes('trigger.digest');
    const before = receiver.received.filter(({ rawBody }) => isDigest(rawBody)).length;
    receiver.responses.push(() => second.kill('SIGKILL')); // it never gets an answer
    await endMinutes();
    await until('it is killed while it sends', () => second.signalCode !== null);
    await lose(second);

    await platform.startWorkers(QUEUE_NAMES, 2);
    await until('all are sent', async () => {
      await endMinutes();
      return (await count("status <> 'delivered'")) === 0;
    });
    await platform.stopWorkers();

    const mails = mailbox.mails.map(({ text }) => ({ id: /^Message-ID: (.*)\r$/im.exec(text)?.[1], text }));
    const requests = receiver.received.map(({ headers, rawBody }) => ({ id: headers['webhook-id'], text: rawBody }));
    for (const sent of [mails, requests]) {
      assert.ok(sent.every(({ id }) => id));
      for (const name of names) {
        const ids = new Set(sent.filter(({ text }) => text.includes(name)).map(({ id }) => id));
        assert.equal(ids.size, 1, `${name} went out as ${[...ids].join(', ')}`);
      }
    }
    const digests = requests.filter(({ text }) => isDigest(text));
    assert.ok(digests.length >= before + 2, 'the one without an answer was repeated');
    const bodies = new Map(digests.map(({ id, text }) => [id, text]));
    for (const { id, text } of digests) assert.equal(text, bodies.get(id), 'each attempt holds the same');
    const kept = await platform.query(
      `SELECT d.id FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id
       WHERE d.digest_id IS NOT NULL GROUP BY d.id HAVING COUNT(a.id) <> 1`,
    );
    assert.deepEqual(kept, [], 'each that was kept ended with one attempt');
    // Deliveries that a killed worker had leased go out one by one: up to 20 each time.
    assert.ok((await count('digest_id IS NOT NULL')) >= KEPT, 'some were kept');
  });
});

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { buildNotification } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { connectOtherClient } from '../../support/other-client';
import { startWorkerElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';

const PERIOD_S = 3_600;

describe('probes with real workers', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const workers: ChildProcess[] = [];
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
    await platform.stopWorkers();
  });

  const start = async () => {
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    workers.push(worker);
    return worker;
  };
  /** A notification whose probe is due now. */
  const buildDue = async () => {
    const id = await buildNotification(user, { destination: receiver.url, probe: PERIOD_S });
    await platform.query('UPDATE notifications SET probe_due_ms = ? WHERE id = ?', [Date.now(), id]);
    return id;
  };
  const probesOf = (id: string) =>
    platform.query("SELECT status FROM deliveries WHERE notification_id = ? AND kind = 'probe'", [id]);
  const runsOfScheduler = async () => {
    const jobs = await platform.container.queues.schedule.getCompleted();
    return Math.max(0, ...jobs.map(({ finishedOn }) => finishedOn ?? 0));
  };
  const isDelivered = async (id: string) => (await probesOf(id)).some(({ status }) => status === 'delivered');

  it('come once, however many workers run', async () => {
    await start();
    await platform.startWorkers(ALL_WORK, 2);
    const ids = await Promise.all(Array.from({ length: 20 }, buildDue));
    await until('all have come', async () => (await Promise.all(ids.map(isDelivered))).every(Boolean));
    const atMs = Date.now();
    await until('the workers have looked again', async () => (await runsOfScheduler()) > atMs + 1_500);
    for (const id of ids) assert.equal((await probesOf(id)).length, 1);
    assert.equal(receiver.received.length, ids.length);
  });

  it('come once although the worker that makes one is killed', async () => {
    const id = await buildDue();
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query('SELECT id FROM notifications WHERE id = ? FOR UPDATE', [id]);
      const first = await start();
      await until('the worker waits for the row', async () => {
        const rows = await platform.query(
          "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%probe_due_ms%FOR UPDATE%' AND ID <> CONNECTION_ID()",
        );
        return rows.length > 0;
      });
      const ended = once(first, 'exit');
      first.kill('SIGKILL');
      await ended;
      await other.rollback();
    } finally {
      await other.end();
    }
    await start();
    await until('it has come', () => isDelivered(id));
    assert.equal((await probesOf(id)).length, 1);
    assert.equal(receiver.received.length, 1);
    const [row] = await platform.query('SELECT probe_due_ms AS dueMs FROM notifications WHERE id = ?', [id]);
    assert.ok(Number(row?.dueMs) > Date.now() + (PERIOD_S - 300) * 1_000);
  });
});

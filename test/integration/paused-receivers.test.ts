import assert from 'node:assert/strict';
import { insertDeliveries } from '../../src/notifications/delivery/delivery-rows';
import { LEASE_MS, readDeliveries, takeLeases } from '../../src/notifications/delivery/leases';
import { runOn } from '../../src/storage/transaction';
import { buildNotification } from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';

describe('paused receivers', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const receiver = useReceiver();
  let paused: typeof platform.container.services.operations.pausedReceivers;
  let host: string;

  beforeEach(() => {
    paused = platform.container.services.operations.pausedReceivers;
    host = new URL(receiver.url).host;
  });
  afterEach(async () => {
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM paused_receivers');
  });

  const test = async (destination: string) => {
    const notificationId = await buildNotification(user, { destination });
    const { body } = await user.api.post(`/notifications/${notificationId}/test?wait=0`);
    return { notificationId, id: Number(body.delivery.id) };
  };
  const rowOf = async (id: number) => (await platform.query('SELECT * FROM deliveries WHERE id = ?', [id]))[0];

  it('are not leased by a worker that has read the delivery before the pause', async () => {
    const { id } = await test(receiver.url);
    const { pool } = platform.container.database;
    const [row] = await readDeliveries(pool, [id]);
    assert.ok(row && row.paused_ms === null);
    assert.equal(await paused.pause(host, 'now'), true);
    const nowMs = platform.container.clock.now() + 1;
    assert.deepEqual(await takeLeases(pool, [{ row, token: 7, permit: 1, isDegraded: false }], nowMs), ['not-due']);
    assert.equal((await rowOf(id))?.lease, null);
    await paused.resume(host);
    assert.deepEqual(await takeLeases(pool, [{ row, token: 7, permit: 1, isDegraded: false }], nowMs), ['taken']);
    assert.equal((await rowOf(id))?.lease_until_ms, nowMs + LEASE_MS);
  });

  it('hold up neither others nor what would not be sent anyway', async () => {
    const [waits, ends] = [await test(receiver.url), await test(`${receiver.url}/off`)];
    await paused.pause(host, '');
    assert.equal(await paused.pause(host, 'another reason'), false);
    await platform.query(
      "UPDATE deliveries SET kind = 'event', event = 'add_sensor', notification_id = ? WHERE id = ?",
      [ends.notificationId, ends.id],
    );
    await user.api.put(`/notifications/${ends.notificationId}`, { notification: { enabled: false } });
    const other = receiver.url.replace('127.0.0.1', 'localhost');
    const goes = await test(other);
    await platform.settle();
    const [first, second, third] = [await rowOf(waits.id), await rowOf(ends.id), await rowOf(goes.id)];
    assert.deepEqual([first?.status, first?.attempts, first?.next_attempt_ms], ['pending', 0, null]);
    assert.deepEqual([second?.status, third?.status], ['failed', 'delivered']);
    assert.equal(receiver.received.length, 1);
  });

  it('do not displace others in a run of the reconciler, however many are paused', async () => {
    const { pool } = platform.container.database;
    const nowMs = platform.container.clock.now();
    const hosts = Array.from({ length: 600 }, (_, index) => `paused-${index}.example:443`);
    const deliveries = [...hosts.map((name) => `https://${name}/`), `${receiver.url}/`].map((destination) => {
      return {
        ownerId: Number(user.id),
        notificationId: 1,
        kind: 'test' as const,
        type: 'url',
        destination,
        text: '',
        nextAttemptMs: nowMs,
        createdMs: nowMs,
      };
    });
    await insertDeliveries(runOn(pool), deliveries);
    await pool.query('UPDATE deliveries SET throttled_ms = next_attempt_ms, next_attempt_ms = NULL');
    await pool.query(
      'INSERT INTO throttled_deliveries (receiver, owner_id, priority_rank, delivery_id) SELECT receiver, owner_id, 1, id FROM deliveries',
    );
    await pool.query('INSERT INTO paused_receivers (receiver, since_ms) VALUES ?', [
      hosts.map((name) => [name, nowMs]),
    ]);
    await platform.container.reconciler.startDeliveries();
    const woken = await platform.query('SELECT receiver FROM deliveries WHERE next_attempt_ms IS NOT NULL');
    assert.deepEqual(
      woken.map((row) => row.receiver),
      [host],
    );
  });
});

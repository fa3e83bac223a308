import assert from 'node:assert/strict';
import type { AttemptContext } from '../../src/notifications/delivery/attempt';
import { insertDeliveries } from '../../src/notifications/delivery/delivery-rows';
import { readDeliveries } from '../../src/notifications/delivery/leases';
import { ReceiverQueue } from '../../src/notifications/delivery/receiver-queue';
import { inPoolTransaction, runOn } from '../../src/storage/transaction';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

describe("the share of an owner's deliveries in a process", () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('leaves no delivery waiting that is throttled while the last attempt before it ends', async () => {
    const { pool } = platform.container.database;
    const queue = new ReceiverQueue(pool, platform.container.clock, { perReceiver: 4, perProcess: 2 });
    const [first, second] = await contexts();
    assert.ok(first && second);
    assert.equal(await queue.lease(first), undefined);
    let leasing: Promise<unknown> = Promise.resolve();
    await inPoolTransaction(pool, async (connection) => {
      // Throttling the second one waits for this lock, and the first one ends meanwhile.
      await connection.query('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [second.row.id]);
      leasing = queue.lease(second);
      await until('it waits for the lock', async () => (await waits()) > 0);
      await queue.release(first);
    });
    assert.equal(await leasing, 'throttled');
    assert.deepEqual(first.nudges, []);
    assert.deepEqual(
      second.nudges.map(({ deliveryId }) => deliveryId),
      [second.row.id],
    );
    assert.deepEqual(await platform.query('SELECT * FROM throttled_deliveries'), []);
  });

  async function contexts(): Promise<AttemptContext[]> {
    const { pool } = platform.container.database;
    const delivery = {
      ...{ ownerId: Number(user.id), notificationId: 1, kind: 'test' as const, type: 'url', priority: 0 },
      ...{ destination: 'http://receiver.example/', text: 'x', nextAttemptMs: 1, createdMs: 1 },
    };
    await insertDeliveries(runOn(pool), [delivery, delivery]);
    const ids = (await platform.query('SELECT id FROM deliveries ORDER BY id')).map(({ id }) => Number(id));
    const rows = await readDeliveries(pool, ids);
    return rows.map((row) => {
      assert.ok(row);
      return { row, whyNotSent: null, nudges: [] } as unknown as AttemptContext;
    });
  }

  async function waits(): Promise<number> {
    const throttling = 'UPDATE deliveries SET throttled_ms%';
    return (await platform.query('SELECT id FROM information_schema.processlist WHERE info LIKE ?', [throttling]))
      .length;
  }
});

import assert from 'node:assert/strict';
import type { Pool, PoolConnection } from 'mysql2/promise';
import { insertDeliveries } from '../../src/notifications/delivery/delivery-rows';
import { DEGRADED_AFTER } from '../../src/notifications/delivery/leases';
import { ReceiverPermits } from '../../src/notifications/delivery/permits';
import { ThrottledDeliveries } from '../../src/notifications/delivery/throttled-deliveries';
import { runOn } from '../../src/storage/transaction';
import { usePlatform, useUser } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { timed } from '../support/stopwatch';

const PER_RECEIVER = 4;

describe('throttled deliveries, when the reconciler finds receivers with free permits,', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const neighbour = useUser(platform);
  let statements: number;
  let wakeAll: () => Promise<void>;

  beforeEach(() => {
    const { database, jobQueue, clock } = platform.container;
    const pool = counting(database.pool, () => {
      statements += 1;
    });
    const permits = new ReceiverPermits(pool, clock, PER_RECEIVER);
    const deliveries = new ThrottledDeliveries(pool, permits, clock);
    statements = 0;
    wakeAll = async () => jobQueue.enqueueDeliveries(await deliveries.wakeAll());
  });
  afterEach(async () => {
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM degraded_receivers');
    await platform.container.queues.deliveries.obliterate({ force: true });
  });

  /** Parks deliveries with these priorities for each of the hosts. */
  const park = async (hosts: string[], priorities: number[], owner = user) => {
    const { pool } = platform.container.database;
    const rows = hosts.flatMap((host) =>
      priorities.map((priority) => ({
        ownerId: Number(owner.id),
        notificationId: 1,
        kind: 'test' as const,
        type: 'url',
        destination: `http://${host}/`,
        text: String(priority),
        priority,
        nextAttemptMs: 1,
        createdMs: 1,
      })),
    );
    await insertDeliveries(runOn(pool), rows);
    await pool.query('UPDATE deliveries SET throttled_ms = next_attempt_ms, next_attempt_ms = NULL');
    await pool.query(
      `INSERT IGNORE INTO throttled_deliveries (receiver, owner_id, priority_rank, delivery_id)
       SELECT receiver, owner_id, 1000 - priority, id FROM deliveries`,
    );
  };
  const woken = () =>
    platform.query(
      `SELECT receiver, GROUP_CONCAT(text ORDER BY priority DESC) AS texts FROM deliveries
       WHERE next_attempt_ms IS NOT NULL AND throttled_ms IS NULL GROUP BY receiver ORDER BY receiver`,
    );
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `host${index}`);

  it('are made due in order of priority, for each receiver as many as it has free permits', async () => {
    await park(['a', 'b', 'c'], [1, 2, 3, 4, 5, 6]);
    await platform.query('UPDATE deliveries SET permit = 2, lease_until_ms = ? WHERE receiver = ? AND text = 6', [
      platform.container.clock.now() + 60_000,
      'b:80',
    ]);
    await platform.query('INSERT INTO degraded_receivers (receiver, since_ms, failures) VALUES (?)', [
      ['c:80', 1, DEGRADED_AFTER],
    ]);
    await wakeAll();
    assert.deepEqual(await woken(), [
      { receiver: 'a:80', texts: '6,5,4,3' },
      { receiver: 'b:80', texts: '6,5,4' },
      { receiver: 'c:80', texts: '6' },
    ]);
    const jobs = await platform.container.queues.deliveries.getJobs(['prioritized', 'waiting']);
    assert.equal(jobs.length, 8);
    assert.deepEqual(await platform.query('SELECT COUNT(*) AS count FROM throttled_deliveries'), [{ count: 10 }]);
  });

  it('of several owners get equal parts of the permits, and the most urgent of each owner come first', async () => {
    await park(['a'], [90, 80, 70, 60, 50]);
    await park(['a'], [2, 1], neighbour);
    await wakeAll();
    assert.deepEqual(await woken(), [{ receiver: 'a:80', texts: '90,80,2,1' }]);
  });

  it('of more owners than permits are made due round-robin', async () => {
    const owners = [user, neighbour, ...(await Promise.all(Array.from({ length: 4 }, () => platform.user())))];
    for (const owner of owners) await park(['a'], [9, 8, 7], owner);
    const served = new Set<string>();
    for (let round = 0; round < owners.length; round += 1) {
      await wakeAll();
      const rows = await platform.query('SELECT owner_id AS id FROM deliveries WHERE next_attempt_ms IS NOT NULL');
      for (const { id } of rows) served.add(String(id));
      await platform.query('DELETE FROM deliveries WHERE next_attempt_ms IS NOT NULL');
    }
    assert.equal(served.size, owners.length);
    const [left] = await platform.query(
      'SELECT COUNT(DISTINCT owner_id) AS owners, COUNT(*) AS total FROM throttled_deliveries',
    );
    assert.ok(Number(left?.total) <= 3, JSON.stringify(left));
  });

  it('are skipped while another transaction has locked them', async () => {
    await park(['a'], [1, 2]);
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query(
        'SELECT * FROM throttled_deliveries WHERE delivery_id = (SELECT MAX(id) FROM deliveries) FOR UPDATE',
      );
      await wakeAll();
      assert.deepEqual(await woken(), [{ receiver: 'a:80', texts: '1' }]);
    } finally {
      await other.rollback();
      await other.end();
    }
  });

  it('are made due while another transaction has locked a delivery that is not among them', async () => {
    await park(hosts(10), [1, 2, 3, 4, 5, 6]);
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query(
        'SELECT * FROM throttled_deliveries FORCE INDEX (PRIMARY) WHERE receiver = ? AND priority_rank = 999 FOR UPDATE',
        ['host3:80'],
      );
      const tookMs = await timed(wakeAll);
      assert.equal((await woken()).length, 10);
      assert.ok(tookMs < 5_000, `it waited ${tookMs} ms for a lock`);
    } finally {
      await other.rollback();
      await other.end();
    }
  });

  it('need the same number of statements for fifty receivers as for two', async () => {
    await park(hosts(2), [1, 2]);
    await wakeAll();
    const forTwo = statements;
    await platform.query('DELETE FROM deliveries');
    await park(hosts(50), [1, 2]);
    statements = 0;
    await wakeAll();
    assert.equal(statements, forTwo);
    assert.equal((await woken()).length, 50);
  });
});

/** A pool that reports each statement that it and its connections run. */
function counting(pool: Pool, onStatement: () => void): Pool {
  return report(pool);

  function report<T extends Pool | PoolConnection>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name === 'getConnection') return async () => report(await pool.getConnection());
        if (name === 'query') onStatement();
        return value.bind(target);
      },
    });
  }
}

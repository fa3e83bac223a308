import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import { PacedTexts } from '../../src/notifications/delivery/paced-texts';
import { EventDispatcher } from '../../src/notifications/dispatch/event-dispatcher';
import type { DispatchLimits } from '../../src/notifications/dispatch/event-matches';
import { lockEvent } from '../../src/notifications/dispatch/waiting-events';
import { isPermanent } from '../../src/storage/mysql-errors';
import { inPoolTransaction } from '../../src/storage/transaction';
import { buildNotification } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUser } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { Causers } from '../support/waiting-events';
import { watchPool } from '../support/watched-pool';

describe('dispatchers of events that work at the same time', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  beforeEach(async () => {
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM events');
  });

  const dispatcher = (pool: Pool = platform.container.database.pool, limits?: DispatchLimits) => {
    const { jobQueue, delivery, metrics, logger, shares } = platform.container;
    const observers = {
      jobQueue,
      deliveries: delivery.runner,
      metrics,
      logger,
      newTexts: () => new PacedTexts(shares, false),
    };
    return new EventDispatcher(pool, clock, observers, limits);
  };
  const waiting = async () => Number((await platform.query('SELECT COUNT(*) AS total FROM events'))[0]?.total);
  const dispatchAll = async () => {
    for (let run = 0; run < 20 && (await waiting()) > 0; run += 1) await dispatcher().dispatchWaiting();
    assert.equal(await waiting(), 0);
  };
  /** Does the work while a client of MySQL holds locks on these events. */
  const whileLocked = async (ids: readonly number[], work: () => Promise<void>) => {
    const other = await connectOtherClient(platform);
    try {
      await other.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await other.beginTransaction();
      await other.query('SELECT id FROM events FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE', [ids]);
      await work();
    } finally {
      await other.rollback();
      await other.end();
    }
  };

  it('take nothing of a user whose oldest event another one has, and go on with the others', async () => {
    const causers = await Causers.insert(platform, user, 3);
    const [first = 0, ...others] = causers.ids;
    await causers.raise(20);
    await whileLocked(await causers.oldest([first]), async () => {
      assert.equal(await dispatcher().dispatchWaiting(), 40);
      await causers.assertReceived(20, others);
    });
    assert.equal(await dispatcher().dispatchWaiting(), 20);
    await causers.assertReceived(20);
  });

  it('reach the users behind those whose events another one has', async () => {
    const causers = await Causers.insert(platform, user, 70);
    await causers.raise(2);
    await whileLocked(await causers.oldest(causers.ids.slice(0, 45)), async () => {
      assert.equal(await dispatcher().dispatchWaiting(), 50);
      await causers.assertReceived(2, causers.ids.slice(45));
    });
    await dispatchAll();
    await causers.assertReceived(2);
  });

  it('take events one by one in the order of their user, except those that were set aside', async () => {
    const causers = await Causers.insert(platform, user, 1);
    await causers.raise(3);
    const ids = (await platform.query('SELECT id FROM events ORDER BY id')).map(({ id }) => Number(id));
    const [first = 0, second = 0, third = 0] = ids;
    await platform.query('UPDATE events SET retry_at_ms = 5 WHERE id = ?', [third]);
    const taken = async (id: number, nowMs: number) =>
      (await inPoolTransaction(platform.container.database.pool, (one) => lockEvent(one, id, nowMs))).length;
    assert.deepEqual([await taken(first, 4), await taken(second, 4), await taken(third, 4)], [1, 0, 0]);
    assert.equal(await taken(third, 5), 1);
    await whileLocked([first], async () => assert.deepEqual([await taken(first, 4), await taken(second, 4)], [0, 0]));
    await platform.query('UPDATE events SET retry_at_ms = 5 WHERE id = ?', [first]);
    assert.equal(await taken(second, 4), 1);
  });

  it('write each portion once where locks are no more than hints, as between the servers of a cluster', async () => {
    const causers = await Causers.insert(platform, user, 2);
    const [first] = causers.ids;
    // One transaction takes fewer than a single user gets of one event: the progress of the next one is the same.
    const notificationId = await buildNotification(user);
    await platform.query('INSERT INTO event_notifications (owner_id, event, notification_id, created_ms) VALUES ?', [
      Array.from({ length: 95 }, () => [first, 'update_sensor', notificationId, 1]),
    ]);
    await causers.raise(3);
    const pool = watchPool(platform.container.database.pool, {
      rewrite: (sql) => (/FROM events/.test(sql) ? sql.replace(' FOR UPDATE NOWAIT', '') : sql),
    });
    for (let run = 0; run < 50 && (await waiting()) > 0; run += 1) {
      const runs = [1, 2].map(() => dispatcher(pool, { matches: 20, users: 10 }).dispatchWaiting());
      for (const result of await Promise.allSettled(runs)) {
        if (result.status === 'rejected') assert.ok(!isPermanent(result.reason), String(result.reason));
      }
      clock.advance(3_600_000); // one that was overtaken again and again is set aside
    }
    assert.equal(await waiting(), 0);
    const [found] = await platform.query(
      'SELECT COUNT(*) AS total, COUNT(DISTINCT event_id, event_notification_id) AS pairs FROM deliveries',
    );
    assert.deepEqual({ ...found }, { total: 3 * 96 + 3, pairs: 3 * 96 + 3 });
  });

  for (const [how, end] of [
    ['freezes', async () => undefined],
    ['loses its connection', () => Promise.reject(Object.assign(new Error('connection lost'), { fatal: true }))],
  ] as const) {
    it(`lose, double and disorder nothing when one ${how} in the middle of its transaction`, async () => {
      const causers = await Causers.insert(platform, user, 30);
      await causers.raise(40);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isFrozen = () => {};
      const frozen = new Promise<void>((resolve) => {
        isFrozen = resolve;
      });
      const pool = watchPool(platform.container.database.pool, {
        beforeCommit: async (changes) => {
          if (changes.length === 0) return;
          isFrozen();
          await released;
          await end();
        },
      });
      const run = dispatcher(pool)
        .dispatchWaiting()
        .catch(() => undefined); // MySQL also closes the connection of one that is frozen for long
      await frozen;
      const shares = [0, 1, 2].map((share) => dispatcher().dispatchWaiting({ share, of: 3 }));
      const counts = await Promise.all(shares);
      assert.ok(counts.reduce((sum, count) => sum + count, 0) >= 10 * 40, 'the users of whom it has nothing');
      release();
      await run;
      await dispatchAll();
      await causers.assertReceived(40);
    });
  }
});

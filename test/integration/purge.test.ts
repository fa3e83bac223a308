import assert from 'node:assert/strict';
import type { Logger } from '../../src/logger';
import { buildPurge } from '../../src/maintenance/build-purge';
import { MaintenanceCursors } from '../../src/maintenance/maintenance-cursors';
import { buildNotification, buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { buildHistory, countOrphans } from '../support/heavy-account';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { type WatchedChange, watchPool } from '../support/watched-pool';

const DAY_MS = 86_400_000;

describe('the purge', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const purge = ({
    data = 0,
    history = 0,
    deliveries = undefined as number | undefined,
    log = [] as unknown[],
    changes = [] as WatchedChange[],
  } = {}) => {
    const logger = { error: (fields: unknown) => log.push(fields) } as unknown as Logger; // all that it uses
    const pool = watchPool(platform.container.database.pool, { onChange: (change) => changes.push(change) });
    const accounts = platform.container.services.accountRemoval;
    return buildPurge({
      pool,
      clock,
      logger,
      accounts,
      dataRetentionDays: data,
      historyRetentionDays: history,
      deliveryRetentionDays: deliveries ?? history,
      sessionIdleDays: 0,
    });
  };
  const count = async (table: string, where = 'TRUE', values: unknown[] = []) =>
    Number((await platform.query(`SELECT COUNT(*) AS total FROM ${table} WHERE ${where}`, values))[0]?.total);
  const daysAgo = (days: number) => clock.now() - days * DAY_MS;
  const ofUser = async () => ({
    deliveries: await count('deliveries', 'owner_id = ?', [user.id]),
    firings: await count('firings', 'owner_id = ?', [user.id]),
  });

  describe('of deleted things', () => {
    for (const kind of ['sensor', 'trigger'] as const) {
      it(`deletes the history of a deleted ${kind} in statements of few rows, and nothing of others`, async () => {
        const { sensorId, triggerId } = await buildHistory(platform.container.database.pool, user, {
          points: 7_000,
          firings: 1_500,
          atMs: clock.now(),
        });
        const kept = await buildHistory(platform.container.database.pool, user, {
          points: 3,
          firings: 2,
          atMs: clock.now(),
        });
        const [path, points] = kind === 'sensor' ? [`/sensors/${sensorId}`, 0] : [`/triggers/${triggerId}`, 7_000];
        assert.equal((await user.api.delete(path)).status, 200);
        assert.equal((await user.api.get(path)).status, 404);
        const changes: WatchedChange[] = [];
        await purge({ changes }).run();
        assert.deepEqual(await ofUser(), { deliveries: 2, firings: 2 });
        assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), points);
        assert.equal(await count('data_points', 'sensor_id = ?', [kept.sensorId]), 3);
        const deleted = changes.filter(({ sql }) => sql.startsWith('DELETE')).map(({ affectedRows }) => affectedRows);
        assert.ok(Math.max(...deleted) <= 2_000, `${Math.max(...deleted)} rows in one statement`);
        assert.deepEqual(await countOrphans(platform), {});
        assert.equal(await count('purge_queue'), 0);
      });

      it(`sends no delivery of a deleted ${kind} any more`, async () => {
        const { sensorId, triggerId } = await buildHistory(platform.container.database.pool, user, {
          points: 0,
          firings: 1,
          atMs: clock.now(),
        });
        await platform.query(
          "UPDATE deliveries SET status = 'pending', attempts = 0, next_attempt_ms = ?, destination = ? WHERE owner_id = ?",
          [clock.now(), receiver.url, user.id],
        );
        await user.api.delete(kind === 'sensor' ? `/sensors/${sensorId}` : `/triggers/${triggerId}`);
        await platform.settle();
        assert.deepEqual(receiver.received, []);
        const { deliveries } = (await user.api.get('/deliveries')).body;
        assert.deepEqual(
          [deliveries[0].status, deliveries[0].attempts.at(-1).error],
          ['failed', `the ${kind} was deleted`],
        );
        await purge().run();
        assert.deepEqual(await ofUser(), { deliveries: 0, firings: 0 });
      });
    }

    it('deletes a trigger on very many sensors a part at a time', async () => {
      const { triggerId } = await buildHistory(platform.container.database.pool, user, {
        points: 0,
        firings: 0,
        atMs: clock.now(),
      });
      await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [
        Array.from({ length: 1_700 }, (_, index) => [user.id, `sensor ${index}`, '', 1]),
      ]);
      await platform.query(
        `INSERT IGNORE INTO sensor_triggers (sensor_id, trigger_id, created_ms) SELECT id, ?, 1 FROM sensors WHERE owner_id = ?`,
        [triggerId, user.id],
      );
      assert.equal((await user.api.delete(`/triggers/${triggerId}`)).status, 200);
      assert.deepEqual(await countOrphans(platform), {});
    });

    it('goes on with others when one cannot be deleted, logs it with its stack, and tries it again later', async () => {
      const [broken, fine] = [
        await buildHistory(platform.container.database.pool, user, { points: 1, firings: 0, atMs: clock.now() }),
        await buildHistory(platform.container.database.pool, user, { points: 1, firings: 0, atMs: clock.now() }),
      ];
      await platform.query("INSERT INTO purge_queue (kind, thing_id, created_ms) VALUES ('unknown', 1, 1)");
      for (const { sensorId } of [broken, fine]) await user.api.delete(`/sensors/${sensorId}`);
      const log: { kind?: string; err?: Error }[] = [];
      await purge({ log }).run();
      assert.equal(await count('data_points', 'sensor_id IN (?)', [[broken.sensorId, fine.sensorId]]), 0);
      assert.deepEqual(
        log.map(({ kind }) => kind),
        ['unknown'],
      );
      assert.match(log[0]?.err?.stack ?? '', /\n +at /);
      const [left] = await platform.query('SELECT kind, retry_at_ms AS retryAtMs FROM purge_queue');
      assert.deepEqual({ ...left }, { kind: 'unknown', retryAtMs: clock.now() + 600_000 });
      await platform.query('DELETE FROM purge_queue');
    });

    it('takes over the sensors that a process of the release before has put into its queue', async () => {
      const { sensorId } = await buildHistory(platform.container.database.pool, user, {
        points: 5,
        firings: 0,
        atMs: clock.now(),
      });
      await platform.query('INSERT INTO purges (sensor_id, created_ms) VALUES (?, ?)', [sensorId, clock.now()]);
      await purge().run();
      assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), 0);
      assert.deepEqual([await count('purges'), await count('purge_queue')], [0, 0]);
    });
  });

  describe('of what is past its retention', () => {
    it('deletes old data points sensor by sensor, and goes on where the last run stopped', async () => {
      const sensors: number[] = [];
      for (let index = 0; index < 3; index += 1) sensors.push(Number(await buildSensor(user)));
      for (const sensorId of sensors) {
        await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [
          Array.from({ length: 2_500 }, (_, index) => [sensorId, daysAgo(index < 2_400 ? 11 : 9) + index, '1', 1]),
        ]);
      }
      const changes: WatchedChange[] = [];
      assert.equal(await purge({ data: 10, changes }).run(), 3 * 2_400);
      for (const sensorId of sensors) assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), 100);
      const deleted = changes.filter(({ sql }) => sql.startsWith('DELETE FROM data_points'));
      assert.ok(Math.max(...deleted.map(({ affectedRows }) => affectedRows)) <= 2_000);

      await platform.query("UPDATE maintenance_cursors SET position = ? WHERE name = 'old-points'", [sensors[1]]);
      await platform.query('UPDATE data_points SET date_ms = date_ms - ? WHERE sensor_id IN (?)', [
        5 * DAY_MS,
        sensors,
      ]);
      assert.equal(await purge({ data: 10 }).run(), 100, 'only the sensors after the one where it stopped');
      assert.equal(await purge({ data: 10 }).run(), 200, 'then the others');
    });

    it('deletes old deliveries with their attempts and old firings, and never a pending one', async () => {
      await buildHistory(platform.container.database.pool, user, { points: 0, firings: 700, atMs: daysAgo(91) });
      await buildHistory(platform.container.database.pool, user, { points: 0, firings: 5, atMs: daysAgo(89) });
      const some = async (set: string, offset: number, values: unknown[] = []) => {
        const [row] = await platform.query(
          'SELECT id FROM deliveries WHERE owner_id = ? ORDER BY id LIMIT 1 OFFSET ?',
          [user.id, offset],
        );
        await platform.query(`UPDATE deliveries SET ${set} WHERE id = ?`, [...values, row?.id]);
      };
      await some("status = 'pending', next_attempt_ms = NULL", 3);
      await some("status = 'pending', next_attempt_ms = 1", 600);
      await some('finished_ms = ?', 5, [daysAgo(1)]); // sent again yesterday
      await purge({ history: 90 }).run();
      assert.deepEqual(await ofUser(), { deliveries: 5 + 3, firings: 5 });
      assert.equal(await count('deliveries', "owner_id = ? AND status = 'pending'", [user.id]), 2);
      assert.equal((await countOrphans(platform))['delivery_attempts.delivery_id'], undefined);
      await purge({ history: 0 }).run();
      assert.deepEqual(await ofUser(), { deliveries: 8, firings: 5 }, '0 keeps everything');
      await platform.query('DELETE FROM deliveries');
      await platform.query('DELETE FROM firings');
    });

    it('keeps the first firing of an episode while the episode lasts, and until its other firings are old', async () => {
      await buildHistory(platform.container.database.pool, user, { points: 0, firings: 3, atMs: daysAgo(91) });
      const [first, , third] = await platform.query('SELECT id FROM firings ORDER BY id');
      await platform.query('UPDATE firings SET is_lasting = TRUE WHERE id = ?', [first?.id]);
      await platform.query('UPDATE firings SET ended_ms = ? WHERE id = ?', [daysAgo(89), third?.id]);
      await purge({ history: 90 }).run();
      const left = await platform.query('SELECT id FROM firings ORDER BY id');
      assert.deepEqual(
        left.map(({ id }) => id),
        [first?.id, third?.id],
      );
      await platform.query('UPDATE firings SET is_lasting = FALSE, ended_ms = ?', [daysAgo(91)]);
      await purge({ history: 90 }).run();
      assert.equal((await ofUser()).firings, 0);
    });

    it('deletes deliveries earlier than firings where they are kept for fewer days', async () => {
      await buildHistory(platform.container.database.pool, user, { points: 0, firings: 5, atMs: daysAgo(20) });
      await purge({ history: 90, deliveries: 30 }).run();
      assert.deepEqual(await ofUser(), { deliveries: 5, firings: 5 });
      await purge({ history: 90, deliveries: 10 }).run();
      assert.deepEqual(await ofUser(), { deliveries: 0, firings: 5 });
      await platform.query('DELETE FROM firings');
    });

    it('deletes the attempts of a delivery that was sent again very often in several transactions', async () => {
      await buildHistory(platform.container.database.pool, user, { points: 0, firings: 1, atMs: daysAgo(91) });
      const [delivery] = await platform.query('SELECT id FROM deliveries WHERE owner_id = ?', [user.id]);
      await platform.query('INSERT INTO delivery_attempts (delivery_id, date_ms, duration_ms) VALUES ?', [
        Array.from({ length: 12_000 }, () => [delivery?.id, 1, 1]),
      ]);
      const changes: WatchedChange[] = [];
      await purge({ history: 90, changes }).run();
      const attempts = changes.filter(({ sql }) => sql.startsWith('DELETE FROM delivery_attempts'));
      assert.deepEqual(
        attempts.map(({ affectedRows }) => affectedRows),
        [5_000, 5_000, 2_001],
      );
      assert.deepEqual(await ofUser(), { deliveries: 0, firings: 0 });
    });

    it('deletes old outages, except for those that an inactivity under way began before', async () => {
      await platform.query('INSERT INTO outages (from_ms, to_ms) VALUES ?', [
        [200, 150, 89].map((days) => [daysAgo(days), daysAgo(days) + 60_000]),
      ]);
      const { sensorId } = await buildHistory(platform.container.database.pool, user, {
        points: 0,
        firings: 0,
        atMs: clock.now(),
      });
      const watch = (sinceMs: number | null) =>
        platform.query('UPDATE sensor_triggers SET inactive_since_ms = ?, due_at_ms = ? WHERE sensor_id = ?', [
          ...[sinceMs, sinceMs === null ? null : clock.now() + DAY_MS, sensorId],
        ]);
      await watch(daysAgo(160));
      await purge({ history: 90 }).run();
      assert.equal(await count('outages'), 2);
      await watch(null);
      await purge({ history: 90 }).run();
      assert.equal(await count('outages'), 1);
    });

    it('deletes old events that could not be dispatched, and no others', async () => {
      const notificationId = await buildNotification(user);
      await platform.query('INSERT INTO events (name, user_id, audience, created_ms, retry_at_ms) VALUES ?', [
        [
          ['add_sensor', user.id, '[]', daysAgo(91), clock.now()],
          ['add_sensor', user.id, '[]', daysAgo(89), clock.now()],
          ['add_sensor', user.id, '[]', daysAgo(91), null],
        ],
      ]);
      await purge({ history: 90 }).run();
      assert.ok(notificationId);
      assert.equal(await count('events', 'user_id = ?', [user.id]), 2);
    });
  });

  describe('with several workers', () => {
    it('has each task done by one of them at a time, and by another one when that dies', async () => {
      const cursors = new MaintenanceCursors(platform.container.database.pool, clock);
      const taken = await Promise.all(Array.from({ length: 8 }, () => cursors.take('old-points')));
      const [lease, ...more] = taken.filter((one) => one !== undefined);
      assert.ok(lease && more.length === 0);
      assert.equal(await lease.advance(7), true);
      assert.equal(await cursors.take('old-points'), undefined);

      const { sensorId } = await buildHistory(platform.container.database.pool, user, {
        points: 5,
        firings: 0,
        atMs: daysAgo(20),
      });
      assert.equal(await purge({ data: 10 }).run(), 0, 'another worker has the task');
      clock.advance(31_000);
      const next = await cursors.take('old-points');
      assert.equal(next?.position, 7, 'it goes on where the dead one stopped');
      assert.equal(await lease.advance(9), false, 'the dead one has lost it');
      await lease.release();
      assert.equal(await cursors.take('old-points'), undefined);
      await next?.advance(0);
      await next?.release();
      assert.equal(await purge({ data: 10 }).run(), 5);
      assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), 0);
    });

    it('deletes everything once when all of them purge at once', async () => {
      const { sensorId } = await buildHistory(platform.container.database.pool, user, {
        points: 9_000,
        firings: 300,
        atMs: clock.now(),
      });
      await user.api.delete(`/sensors/${sensorId}`);
      const deleted = await Promise.all([1, 2, 3].map(() => purge().run()));
      assert.deepEqual(
        deleted.filter((rows) => rows > 0),
        [9_000 + 3 * 300],
      );
      assert.deepEqual(await countOrphans(platform), {});
    });
  });
});

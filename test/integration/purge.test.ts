import assert from 'node:assert/strict';
import { SLICES } from '../../src/maintenance/build-purge';
import { MaintenanceCursors } from '../../src/maintenance/maintenance-cursors';
import { IDS_PER_BLOCK, sliceOf } from '../../src/maintenance/purge-task';
import { fakeClock } from '../support/fake-clock';
import { buildHistory, countOrphans } from '../support/heavy-account';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { type Purging, purgeOf } from '../support/purging';
import { until } from '../support/until';
import type { WatchedChange } from '../support/watched-pool';

const DAY_MS = 86_400_000;

describe('the purge', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const purge = (options: Purging = {}) => purgeOf(platform, options);
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
        assert.equal(await count('purge_queue', 'retry_at_ms <= ?', [clock.now()]), 0);
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

    it('serves every former owner in a run that has time for a part only', async () => {
      const { pool } = platform.container.database;
      const [heavy, other] = [await platform.user(), await platform.user()];
      const sensors = Array.from({ length: 3_000 }, (_, index) => [heavy.id, `sensor ${index}`, '', 1]);
      await pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [sensors]);
      await pool.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) SELECT id, 1, '1', 1 FROM sensors WHERE owner_id = ?`,
        [heavy.id],
      );
      assert.equal((await heavy.api.delete(`/users/${heavy.id}`)).status, 200);
      await until('the account is gone', async () => {
        if ((await count('sensors', 'owner_id = ?', [heavy.id])) === 0) return true;
        await platform.container.services.accountRemoval.remove(Number(heavy.id), 1_000);
        return false;
      });
      const { sensorId } = await buildHistory(pool, other, { points: 100, firings: 0, atMs: clock.now() });
      assert.equal((await other.api.delete(`/sensors/${sensorId}`)).status, 200);
      let nowMs = clock.now();
      const hurried = { now: () => (nowMs += 20) };
      await purgeOf({ ...platform, container: { ...platform.container, clock: hurried } }, {}).run();
      assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), 0);
      const { 'data_points.sensor_id': left = 0 } = await countOrphans(platform);
      assert.ok(left > 500, 'the run had time for everything, and shows nothing');
      await purge().run();
      assert.deepEqual(await countOrphans(platform), {});
    });

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
      await platform.query(
        "INSERT INTO purge_queue (kind, thing_id, owner_id, created_ms) VALUES ('unknown', 1, 1, 1)",
      );
      for (const { sensorId } of [broken, fine]) await user.api.delete(`/sensors/${sensorId}`);
      const log: { kind?: string; err?: Error }[] = [];
      await purge({ log }).run();
      assert.equal(await count('data_points', 'sensor_id IN (?)', [[broken.sensorId, fine.sensorId]]), 0);
      assert.deepEqual(
        log.map(({ kind }) => kind),
        ['unknown'],
      );
      assert.match(log[0]?.err?.stack ?? '', /\n +at /);
      const [left] = await platform.query(
        'SELECT kind, retry_at_ms AS retryAtMs FROM purge_queue ORDER BY retry_at_ms DESC',
      );
      assert.deepEqual({ ...left }, { kind: 'unknown', retryAtMs: clock.now() + 600_000 });
      await platform.query('DELETE FROM purge_queue');
    });
  });

  describe('with several workers', () => {
    it('has each task done by one of them at a time, and by another one when that dies', async () => {
      const cursors = new MaintenanceCursors(platform.container.database.pool, clock);
      const { sensorId } = await buildHistory(platform.container.database.pool, user, {
        points: 5,
        firings: 0,
        atMs: daysAgo(20),
      });
      const task = `old-points-${sliceOf(sensorId, SLICES).number}-of-${SLICES}`;
      const before = sensorId - 1;
      const taken = await Promise.all(Array.from({ length: 8 }, () => cursors.take(task)));
      const [lease, ...more] = taken.filter((one) => one !== undefined);
      assert.ok(lease && more.length === 0);
      assert.equal(await lease.advance(before), true);
      assert.equal(await cursors.take(task), undefined);

      assert.equal(await purge({ data: 10 }).run(), 0, 'another worker has the slice');
      clock.advance(31_000);
      const next = await cursors.take(task);
      assert.equal(next?.position, before, 'it goes on where the dead one stopped');
      assert.equal(await lease.advance(9), false, 'the dead one has lost it');
      await lease.release();
      assert.equal(await cursors.take(task), undefined);
      await next?.advance(0);
      await next?.release();
      assert.equal(await purge({ data: 10 }).run(), 5);
      assert.equal(await count('data_points', 'sensor_id = ?', [sensorId]), 0);
    });

    it('has slices done by others while one of them is taken, and that one later', async () => {
      const sensors = Array.from({ length: 2 * SLICES + 1 }, (_, index) => 1_000_000 + index * IDS_PER_BLOCK);
      await platform.query('INSERT INTO sensors (id, owner_id, name, data_structure, created_ms) VALUES ?', [
        sensors.map((id) => [id, user.id, 'a sensor', '', 1]),
      ]);
      await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [
        sensors.flatMap((id) => [11, 12, 1].map((days) => [id, daysAgo(days), '1', 1])),
      ]);
      const left = () => count('data_points', 'sensor_id IN (?)', [sensors]);
      const [first = 0] = sensors;
      const { number } = sliceOf(first, SLICES);
      const ofSlice = sensors.filter((id) => sliceOf(id, SLICES).number === number);
      assert.equal(ofSlice.length, 3);
      const cursors = new MaintenanceCursors(platform.container.database.pool, clock);
      assert.ok(await cursors.take(`old-points-${number}-of-${SLICES}`));
      const deleted = await Promise.all([1, 2, 3].map(() => purge({ data: 10 }).run()));
      assert.deepEqual(
        deleted.reduce((a, b) => a + b, 0),
        2 * (sensors.length - ofSlice.length),
      );
      assert.equal(await left(), sensors.length + 2 * ofSlice.length);
      clock.advance(31_000); // its worker was killed
      assert.equal(await purge({ data: 10 }).run(), 2 * ofSlice.length);
      assert.equal(await left(), sensors.length);
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

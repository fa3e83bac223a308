import assert from 'node:assert/strict';
import { buildNotification, buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { buildHistory, countOrphans } from '../support/heavy-account';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { type Purging, purgeOf } from '../support/purging';
import { type WatchedChange } from '../support/watched-pool';

const DAY_MS = 86_400_000;

describe('the purge of what is past its retention', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);

  const purge = (options: Purging = {}) => purgeOf(platform, options);
  const count = async (table: string, where = 'TRUE', values: unknown[] = []) =>
    Number((await platform.query(`SELECT COUNT(*) AS total FROM ${table} WHERE ${where}`, values))[0]?.total);
  const daysAgo = (days: number) => clock.now() - days * DAY_MS;
  const ofUser = async () => ({
    deliveries: await count('deliveries', 'owner_id = ?', [user.id]),
    firings: await count('firings', 'owner_id = ?', [user.id]),
  });

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

    await platform.query("UPDATE maintenance_cursors SET position = ? WHERE name LIKE 'old-points-%'", [sensors[1]]);
    await platform.query('UPDATE data_points SET date_ms = date_ms - ? WHERE sensor_id IN (?)', [5 * DAY_MS, sensors]);
    assert.equal(await purge({ data: 10 }).run(), 100, 'only the sensors after the one where it stopped');
    assert.equal(await purge({ data: 10 }).run(), 200, 'then the others');
  });

  it('deletes rows that have ended by themselves, and no others', async () => {
    const [longAgo, lately] = [daysAgo(1) - 1, daysAgo(1) + 1];
    await platform.query("INSERT INTO degraded_receivers (receiver, since_ms) VALUES ('a:80', ?), ('b:80', ?)", [
      longAgo,
      lately,
    ]);
    await platform.query(
      "INSERT INTO usage_counts (kind, subject, started_ms, used) VALUES ('x', 'a', ?, 1), ('x', 'b', ?, 1)",
      [longAgo, lately],
    );
    await platform.query('UPDATE sessions SET used_ms = ? WHERE user_id = ?', [longAgo, user.id]);
    await purge({ sessions: 2 }).run();
    const left = async (table: string, column: string) =>
      (await platform.query(`SELECT ${column} AS name FROM ${table}`)).map(({ name }) => name);
    assert.deepEqual(await left('degraded_receivers', 'receiver'), ['b:80']);
    assert.deepEqual(await left('usage_counts', 'subject'), ['b']);
    assert.equal(await count('sessions', 'user_id = ?', [user.id]), 1);
    await purge({ sessions: 1 }).run();
    assert.equal(await count('sessions', 'user_id = ?', [user.id]), 0);
  });

  it('deletes old deliveries with their attempts and old firings, and never a pending one', async () => {
    await buildHistory(platform.container.database.pool, user, { points: 0, firings: 700, atMs: daysAgo(91) });
    await buildHistory(platform.container.database.pool, user, { points: 0, firings: 5, atMs: daysAgo(89) });
    const some = async (set: string, offset: number, values: unknown[] = []) => {
      const [row] = await platform.query('SELECT id FROM deliveries WHERE owner_id = ? ORDER BY id LIMIT 1 OFFSET ?', [
        user.id,
        offset,
      ]);
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

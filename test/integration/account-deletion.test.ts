import assert from 'node:assert/strict';
import { buildPurge } from '../../src/maintenance/build-purge';
import {
  buildGroup,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  share,
  upload,
} from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { buildHistory, countOrphans } from '../support/heavy-account';
import { usePlatform, useReceiver } from '../support/hooks';
import type { Platform, TestUser } from '../support/platform';
import { Stopwatch, timed } from '../support/stopwatch';
import { subscribe } from '../support/subscribe';
import { type WatchedChange, watchPool } from '../support/watched-pool';

/** How long the purge looks after something that was deleted. */
const LINGER_MS = 300_000;
/** The most rows that one statement of the purge deletes. */
const MAX_ROWS = 5_000;

describe('the deletion of an account', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  let user: TestUser;
  let other: TestUser;

  beforeEach(async () => {
    [user, other] = [await platform.user(), await platform.user()];
  });

  const deleteAccount = () => user.api.delete(`/users/${user.id}`);
  const login = () => platform.anonymous.post('/login', { username: user.username, password: user.password });

  describe('with much history', () => {
    it('takes a moment, keeps no upload of others waiting, and leaves nothing behind', async () => {
      await buildHistory(platform.container.database.pool, user, {
        points: 200_000,
        firings: 30_000,
        atMs: clock.now(),
      });
      await buildHistory(platform.container.database.pool, other, { points: 10, firings: 5, atMs: clock.now() });
      const uploads = startUploads(platform, other, await buildSensor(other));
      const watch = new Stopwatch();
      assert.equal((await deleteAccount()).status, 200);
      const tookMs = watch.stop();
      assert.ok(tookMs < 2_000, `the request took ${Math.round(tookMs)} ms`);
      assert.equal((await user.api.get('/users/current')).status, 401);

      const changes: WatchedChange[] = [];
      const deleted = await purgeAll(platform, changes);
      const { count, longestMs } = await uploads.stop();
      assert.ok(longestMs < 1_000, `an upload of somebody else took ${Math.round(longestMs)} ms`);
      assert.ok(count > 20);
      assert.equal(deleted, 200_000 + 3 * 30_000);
      const largest = Math.max(...changes.map(({ affectedRows }) => affectedRows));
      assert.ok(largest > 100 && largest <= MAX_ROWS, `${largest} rows in one statement`);
      assert.deepEqual(await countOrphans(platform), {});
      const [left] = await platform.query('SELECT COUNT(*) AS total FROM firings WHERE owner_id = ?', [other.id]);
      assert.equal(left?.total, 5, 'of others nothing is deleted');
      clock.advance(LINGER_MS);
      await platform.container.purge.run();
      assert.deepEqual(await platform.query('SELECT * FROM purge_queue'), []);
    });
  });

  it('is finished by the purge when the process dies right after the account was closed', async () => {
    const groupId = await buildGroup(other, { public: 1 });
    assert.equal((await user.api.post(`/groups/${groupId}/users`, { users: [{ user: { id: user.id } }] })).status, 201);
    const sensorId = await buildSensor(user);
    await share(user, sensorId, other);
    await user.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: sensorId }] });
    for (const event of ['delete_sensor', 'remove_group_sensor', 'remove_group_user'])
      await subscribe(other, receiver.url, event);
    await platform.container.services.accountRemoval.close(Number(user.id));

    assert.deepEqual([(await login()).status, (await user.api.get('/sensors')).status], [401, 401]);
    const again = await platform.anonymous.post('/users', {
      user: { username: user.username, email: 'new@example.org', password: user.password },
      disable_mail: 1,
    });
    assert.equal(again.status, 201, 'the username is free');
    const own = await buildSensor(other);
    assert.equal((await other.api.post(`/sensors/${own}/users`, { user: { id: user.id } })).status, 404);

    clock.advance(10_000);
    // Two processes at once: neither removes anything twice.
    await Promise.all([
      platform.container.purge.run(),
      platform.container.services.accountRemoval.begin(Number(user.id)),
    ]);
    assert.deepEqual(await platform.query('SELECT id FROM users WHERE id = ?', [user.id]), []);
    assert.equal((await other.api.get(`/sensors/${sensorId}`)).status, 404);
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => [form.event, form.subject_id]).sort(), [
      ['delete_sensor', sensorId],
      ['remove_group_sensor', sensorId],
      ['remove_group_user', user.id],
    ]);
    assert.deepEqual(await countOrphans(platform), {});
  });

  it('removes very many things in transactions of few rows, and goes on with the purge after a second', async () => {
    const sensors = 1_500;
    const shared = await buildSensor(user);
    await share(user, shared, other);
    await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [
      Array.from({ length: sensors }, (_, index) => [user.id, `sensor ${index}`, '', 1]),
    ]);
    await platform.query(
      `INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key)
       SELECT s.id, 'default', CONCAT('tag', n.n), 0, s.owner_id, '1', '1' FROM sensors s
       JOIN (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5) n WHERE s.owner_id = ?`,
      [user.id],
    );
    const triggerId = await buildTrigger(user);
    await platform.query(
      'INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) SELECT id, ?, 1 FROM sensors WHERE owner_id = ?',
      [triggerId, user.id],
    );
    const uploads = startUploads(platform, other, await buildSensor(other));
    const watch = new Stopwatch();
    assert.equal((await deleteAccount()).status, 200);
    const tookMs = watch.stop();
    assert.ok(tookMs < 2_500, `the request took ${Math.round(tookMs)} ms`);
    assert.equal((await other.api.get(`/sensors/${shared}`)).status, 404, 'what others see goes first');
    clock.advance(10_000);
    await purgeAll(platform, []);
    const { longestMs } = await uploads.stop();
    assert.ok(longestMs < 1_000, `an upload of somebody else took ${Math.round(longestMs)} ms`);
    assert.deepEqual(await platform.query('SELECT id FROM users WHERE id = ?', [user.id]), []);
    assert.deepEqual(await countOrphans(platform), {});
  });

  it('disconnects at most 1,000 triggers, and ends at most 200 episodes, in one transaction', async () => {
    const { pool } = platform.container.database;
    await pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [
      Array.from({ length: 60 }, (_, index) => [user.id, `sensor ${index}`, '', 1]),
    ]);
    await pool.query('INSERT INTO triggers (owner_id, name, expression, created_ms) VALUES ?', [
      Array.from({ length: 100 }, (_, index) => [user.id, `trigger ${index}`, 'sensor_data_value > 0', 1]),
    ]);
    await pool.query(
      `INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms, episode_ms)
       SELECT s.id, t.id, 1, IF(t.id % 10 = 0, 1, NULL) FROM sensors s JOIN triggers t ON t.owner_id = s.owner_id WHERE s.owner_id = ?`,
      [user.id],
    );
    const read = async () => {
      const [row] = await platform.query(
        'SELECT COUNT(*) AS triggers, COUNT(st.episode_ms) AS episodes FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id WHERE s.owner_id = ?',
        [user.id],
      );
      return { triggers: Number(row?.triggers), episodes: Number(row?.episodes) };
    };
    const accounts = platform.container.services.accountRemoval;
    await accounts.close(Number(user.id));
    let before = await read();
    assert.deepEqual(before, { triggers: 6_000, episodes: 600 });
    const most = { triggers: 0, episodes: 0 };
    for (let isOver = false; !isOver; ) {
      isOver = await accounts.remove(Number(user.id), 0); // one transaction with a change
      const after = await read();
      most.triggers = Math.max(most.triggers, before.triggers - after.triggers);
      most.episodes = Math.max(most.episodes, before.episodes - after.episodes);
      before = after;
    }
    assert.deepEqual(before, { triggers: 0, episodes: 0 });
    assert.ok(most.triggers <= 1_000 && most.episodes <= 200, JSON.stringify(most));
  });

  it('takes the services of others along that only its sensors fed, and makes their virtual sensors plain', async () => {
    const [lost, kept] = [await buildSensor(user), await buildSensor(other)];
    await share(user, lost, other);
    const [fed, both] = [
      await buildService(other, 'math_service', lost),
      await buildService(other, 'math_service', lost, kept),
    ];
    assert.equal((await deleteAccount()).status, 200);
    const services = async (id: string) => platform.query('SELECT id FROM services WHERE id = ?', [id]);
    assert.deepEqual([(await services(fed)).length, (await services(both)).length], [0, 1]);
    assert.equal((await other.api.get(`/sensors/${fed}`)).body.sensor.type, '0');
    assert.equal((await other.api.get(`/sensors/${both}`)).body.sensor.type, '2');
  });

  it('sends no delivery that waits any more', async () => {
    const notificationId = await buildNotification(user, { destination: receiver.url, text: 'late' });
    await user.api.post(`/notifications/${notificationId}/test?wait=0`);
    assert.equal((await deleteAccount()).status, 200);
    await platform.settle();
    assert.deepEqual(receiver.received, []);
  });

  it('waits with a delivery that a worker is attempting until the attempt is written down', async () => {
    const { sensorId } = await buildHistory(platform.container.database.pool, user, {
      points: 0,
      firings: 2,
      atMs: clock.now(),
    });
    const leased =
      "UPDATE deliveries SET status = 'pending', lease_until_ms = ? WHERE owner_id = ? ORDER BY id LIMIT 1";
    await platform.query(leased, [clock.now() + 8_000, user.id]);
    assert.equal((await deleteAccount()).status, 200);
    await platform.container.purge.run();
    const left = () => platform.query('SELECT status FROM deliveries WHERE sensor_id = ?', [sensorId]);
    assert.deepEqual(
      (await left()).map(({ status }) => status),
      ['pending'],
    );
    clock.advance(11_000);
    await platform.container.purge.run();
    assert.deepEqual(await left(), []);
    assert.deepEqual(await countOrphans(platform), {});
  });
});

/** Runs the purge until it finds nothing to do, and adds what its statements change. Returns how many rows it deleted. */
async function purgeAll(platform: Platform, changes: WatchedChange[]): Promise<number> {
  const { database, clock, logger, services, decisionLog } = platform.container;
  const pool = watchPool(database.pool, { onChange: (change) => changes.push(change) });
  const accounts = services.accountRemoval;
  const purge = buildPurge({
    pool,
    clock,
    logger,
    accounts,
    decisionLog,
    dataRetentionDays: 0,
    chunkAfterMs: 0,
    historyRetentionDays: 0,
    deliveryRetentionDays: 0,
    sessionIdleDays: 0,
    ofWings: [],
  });
  let deleted = 0;
  for (let run = 0; run < 100; run += 1) {
    const [due] = await platform.query('SELECT id FROM purge_queue WHERE retry_at_ms <= ?', [clock.now()]);
    if (!due) return deleted;
    deleted += await purge.run();
  }
  throw new Error('the purge does not end');
}

/** Uploads of a user, one after the other, until they are stopped. */
function startUploads({ container }: Platform, user: TestUser, sensorId: string) {
  let [isStopped, count, longestMs] = [false, 0, 0];
  const loop = async () => {
    for (; !isStopped; count += 1) {
      const point = { value: count, date: container.clock.now() / 1000 - count };
      longestMs = Math.max(longestMs, await timed(() => upload(user, sensorId, point)));
    }
  };
  const running = loop();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return { count, longestMs };
    },
  };
}

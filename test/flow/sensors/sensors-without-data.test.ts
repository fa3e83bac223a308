import assert from 'node:assert/strict';
import type { ResultSetHeader } from 'mysql2/promise';
import { buildDashboard, buildSensor, buildTrigger, connectTrigger, share } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { statementsOf } from '../../support/statements';

const MINUTE = 60;
const DAY = 86_400;
const MANY = 10_000;

describe('a sensor without data for longer than expected', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);

  const ago = (seconds: number) => Math.round(Date.now() / 1_000) - seconds;
  /** A sensor with these points, by their ages in seconds. */
  const build = async (ages: readonly number[], fields: Record<string, unknown> = {}, value = 20) => {
    const id = await buildSensor(user, fields);
    const data = ages.map((age) => ({ date: ago(age), value }));
    if (data.length > 0) assert.equal((await user.api.post(`/sensors/${id}/data`, { data })).status, 201);
    return id;
  };
  /** The ages of points at a distance, the newest first. */
  const every = (distance: number, newest: number, count = 20) =>
    Array.from({ length: count }, (_, index) => newest + index * distance);
  const record = async (id: string, by = user) => (await by.api.get(`/sensors/${id}`)).body.sensor;
  const stateOf = async (id: string) => (await record(id)).state;
  const find = async (body: object) =>
    (await user.api.post('/sensors/find?per_page=1000', { filter: {}, ...body })).body.sensors.map(
      ({ id }: { id: string }) => id,
    );

  it('has the state from its expected interval on, until data comes', async () => {
    const id = await build([600]);
    assert.equal((await record(id)).expected_interval, null);
    const set = async (expected_interval: unknown) => user.api.put(`/sensors/${id}`, { sensor: { expected_interval } });
    assert.equal((await set(300)).body.sensor.expected_interval, 300);
    const { state, state_since, expected_interval } = await record(id);
    assert.deepEqual([state, expected_interval], ['silent', 300]);
    assert.ok(Math.abs(state_since - ago(600)) < 60);
    await set(900);
    assert.equal(await stateOf(id), 'none');
    await set(300);
    await user.api.post(`/sensors/${id}/data`, { data: [{ value: 1 }] });
    assert.equal(await stateOf(id), 'none');
    assert.equal((await set(null)).body.sensor.expected_interval, null);
    for (const wrong of [0, -1, 1.5, 'often', 1e12]) {
      const { status, body } = await set(wrong);
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['sensor.expected_interval']], String(wrong));
    }
  });

  it('is measured by three times the usual distance of its points if nothing else is set', async () => {
    const cases: [string, readonly number[], string][] = [
      ['every minute, for 4 minutes', every(MINUTE, 240), 'silent'],
      ['every minute, for 2 minutes', every(MINUTE, 120), 'none'],
      ['every hour, for 2 hours', every(3_600, 7_200), 'none'],
      ['every hour, for 4 hours', every(3_600, 14_400), 'silent'],
      ['every minute, after a day without data', [...every(MINUTE, 240, 6), ...every(MINUTE, DAY, 20)], 'silent'],
      ['every hour, with a burst', [...every(1, 7_200, 4), ...every(3_600, 10_800, 20)], 'none'],
      ['three points', every(MINUTE, 240, 3), 'silent'],
      ['six points', every(MINUTE, 120, 6), 'none'],
      ['ten points', every(MINUTE, 240, 10), 'silent'],
      ['two points, for 4 minutes', every(MINUTE, 240, 2), 'none'],
      ['one point, for two days', [2 * DAY], 'silent'],
      ['every second, for 30 seconds', every(1, 30), 'none'],
      ['no point', [], 'none'],
    ];
    for (const [name, ages, state] of cases) assert.equal(await stateOf(await build(ages)), state, name);
  });

  it('is measured from its creation if it never had data', async () => {
    const [id, expecting] = [await build([]), await build([], { expected_interval: 300 })];
    const createdAgo = (seconds: number) =>
      platform.query('UPDATE sensors SET created_ms = ? WHERE id IN (?)', [
        Date.now() - seconds * 1_000,
        [id, expecting],
      ]);
    const states = async () => [await stateOf(id), await stateOf(expecting)];
    assert.deepEqual(await states(), ['none', 'none']);
    await createdAgo(600);
    assert.deepEqual(await states(), ['none', 'silent']);
    await createdAgo(2 * DAY);
    assert.deepEqual(await states(), ['silent', 'silent']);
    assert.equal((await record(id)).state_since, null);
  });

  it('is never one that stores nothing', async () => {
    const id = await buildSensor(user, { use_data_storage: false, expected_interval: 60 });
    assert.equal(await stateOf(id), 'none');
    assert.ok(!(await find({ state: 'silent' })).includes(id));
  });

  it('outranks triggers that are ok or pending, and gives way to one that fires', async () => {
    const [warm, slow] = [
      await buildTrigger(user, { expression: 'sensor_data_value > 30' }),
      await buildTrigger(user, { expression: 'sensor_data_value > 30', hold: 7_200 }),
    ];
    const connected = async (trigger: string, value: number, age: number) => {
      const id = await buildSensor(user, { expected_interval: 300 });
      await connectTrigger(user, id, trigger);
      await user.api.post(`/sensors/${id}/data`, { data: [{ date: ago(age), value }] });
      return id;
    };
    const ids = [
      await connected(warm, 20, 600),
      await connected(slow, 31, 600),
      await connected(warm, 31, 600),
      await connected(warm, 20, 60),
      await connected(slow, 31, 60),
    ];
    await platform.settle();
    const expected = ['silent', 'silent', 'firing', 'ok', 'pending'];
    assert.deepEqual(await Promise.all(ids.map(stateOf)), expected);
    const { sensors } = (await user.api.get('/sensors?per_page=1000')).body;
    const found = (await user.api.post('/sensors/find?details=full&per_page=1000', { filter: {} })).body.sensors;
    for (const list of [sensors, found]) {
      const states = new Map(list.map(({ id, state }: { id: string; state: string }) => [id, state]));
      assert.deepEqual(
        ids.map((id) => states.get(id)),
        expected,
      );
    }
    for (const state of ['silent', 'firing', 'ok', 'pending']) {
      const shown = await find({ state });
      assert.deepEqual(
        ids.filter((id) => shown.includes(id)),
        ids.filter((_, index) => expected[index] === state),
        state,
      );
    }
    const tiles = [{ kind: 'state', sensors: ids, x: 0, y: 0, w: 6, h: 4 }];
    const id = await buildDashboard(user, { name: 'Wall', tiles });
    const { token } = { token: (await user.api.post(`/dashboards/${id}/public`)).body.dashboard.public };
    for (const way of [`/dashboards/${id}/data?tile=0`, `/public/${token}/data?tile=0`]) {
      const { tile } = (await user.api.get(way)).body;
      assert.deepEqual(
        tile.sensors.map(({ state }: { state: string }) => state),
        expected,
        way,
      );
      assert.ok(Math.abs(tile.sensors[0].since - ago(600)) < 60);
    }
  });

  it('has the state for those with whom it is shared, who do not see the triggers of its owner', async () => {
    const id = await build([600], { expected_interval: 300 });
    const fresh = await build([0]);
    for (const one of [id, fresh]) await share(user, one, friend);
    assert.deepEqual([(await record(id, friend)).state, (await record(fresh, friend)).state], ['silent', 'none']);
    const { sensors } = (await friend.api.post('/sensors/find?sensor_owner=all', { filter: {}, state: 'silent' })).body;
    assert.deepEqual(
      sensors.map((one: { id: string }) => one.id),
      [id],
    );
  });

  it('is found among 10,000 by one statement, and storing a point takes none more', async () => {
    const owner = await platform.user();
    const rows = Array.from({ length: MANY }, (_, index) => [owner.id, `sensor ${index}`, '', 1]);
    const sql = 'INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?';
    const [{ insertId: firstId }] = await platform.container.database.pool.query<ResultSetHeader>(sql, [rows]);
    const now = Date.now();
    for (let point = 0; point < 14; point += 1) {
      // Every hundredth sensor has been without data for ten hours, the others for two minutes.
      await platform.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
         SELECT id, ? - IF(MOD(id - ?, 100) = 0, 36000000, 120000) - ?, '1', 0 FROM sensors WHERE owner_id = ?`,
        [now, firstId, point * 3_600_000, owner.id],
      );
    }
    let found: string[] = [];
    const started = performance.now();
    const search = () => owner.api.post('/sensors/find?per_page=1000&total=1', { filter: {}, state: 'silent' });
    const statements = await statementsOf(platform, async () => {
      const { body } = await search();
      found = body.sensors.map(({ id }: { id: string }) => id);
      assert.equal(body.total, MANY / 100);
    });
    const ms = performance.now() - started;
    assert.equal(found.length, MANY / 100);
    const searching = statements.filter((sql) => sql.includes('expected_interval') && sql.includes('data_points'));
    assert.ok(searching.length <= 2, 'the page and the number');
    assert.ok(ms < 10_000, `${Math.round(ms)} ms`);
  });
});

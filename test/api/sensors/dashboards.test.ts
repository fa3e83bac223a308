import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { buildDashboard, buildSensor, chartOf, createKey } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const PLACE = { x: 0, y: 0, w: 6, h: 4 };
const NOTE = { kind: 'note', text: 'a note', ...PLACE };

describe('dashboards', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const post = (dashboard: object) => user.api.post('/dashboards', { dashboard });
  const put = (id: string, dashboard: object) => user.api.put(`/dashboards/${id}`, { dashboard });

  it('are created, listed, changed and deleted', async () => {
    const sensor = await buildSensor(user);
    const { status, body, headers } = await post({ name: 'Cold store', tiles: [chartOf(sensor), NOTE] });
    assert.equal(status, 201);
    const { id } = body.dashboard;
    assert.equal(headers.get('location'), `${platform.url}/dashboards/${id}`);
    const chart = {
      kind: 'chart',
      sensors: [sensor],
      selector: null,
      environment: null,
      fields: [],
      range: 86_400,
      text: '',
      ...PLACE,
    };
    const note = { ...NOTE, sensors: [], selector: null, environment: null, fields: [], range: null };
    assert.deepEqual(body.dashboard, { id, name: 'Cold store', tiles: [chart, note], version: 1, public: null });
    assert.deepEqual((await user.api.get(`/dashboards/${id}`)).body, body);
    const alerts = { kind: 'alerts', ...PLACE };
    const value = { kind: 'value', sensors: [sensor, sensor], fields: ['t'], range: 600, text: 'Now', ...PLACE };
    assert.deepEqual((await post({ name: 'b', tiles: [value] })).body.fields, {
      'dashboard.tiles[0].sensors': 'can be at most 1 for a value tile',
    });
    const changed = await put(id, { tiles: [alerts, { ...value, sensors: [sensor] }] });
    assert.deepEqual(changed.body.dashboard, {
      ...{ id, name: 'Cold store', version: 2, public: null },
      tiles: [
        { ...alerts, sensors: [], selector: null, environment: null, fields: [], range: null, text: '' },
        { ...value, sensors: [sensor], selector: null, environment: null },
      ],
    });
    assert.equal((await put(id, { name: 'Store' })).body.dashboard.tiles.length, 2);
    const empty = (await post({ name: 'Empty' })).body.dashboard;
    const { body: list } = await user.api.get('/dashboards?total=1&per_page=1&page=1');
    assert.deepEqual(list, { dashboards: [empty], total: 2 });
    assert.deepEqual((await user.api.delete(`/dashboards/${id}`)).body, {});
    for (const path of [`/dashboards/${id}`, `/dashboards/${id}/data?tile=0`, '/dashboards/x', '/dashboards/0']) {
      assert.equal((await user.api.get(path)).status, 404, path);
    }
    assert.equal((await user.api.delete(`/dashboards/${id}`)).status, 404);
  });

  it('accept whole records, numbers as ids, and texts that stand for nothing', async () => {
    const sensor = await buildSensor(user);
    const { body } = await post({ name: 'n', tiles: [{ ...chartOf(sensor), sensors: [Number(sensor)], range: '' }] });
    const again = await put(body.dashboard.id, { ...body.dashboard, public: 'x', name: '' });
    assert.deepEqual(again.body.dashboard, { ...body.dashboard, version: 2 });
    assert.equal((await put(body.dashboard.id, { tiles: [] })).body.dashboard.tiles.length, 0);
  });

  it('name the field that is wrong', async () => {
    const own = await buildSensor(user);
    const foreign = await buildSensor(stranger);
    const tiles = (tile: object) => [NOTE, { ...chartOf(own), ...tile }];
    const refusals: [tiles: unknown, status: number, field: string][] = [
      [tiles({ kind: 'pie' }), 400, 'tiles[1].kind'],
      [tiles({ kind: null }), 400, 'tiles[1].kind'],
      [tiles({ sensors: [] }), 400, 'tiles[1].sensors'],
      [tiles({ sensors: [own, 'x'] }), 400, 'tiles[1].sensors[1]'],
      [tiles({ sensors: [own, '-1'] }), 400, 'tiles[1].sensors[1]'],
      [tiles({ sensors: [own, { id: own }] }), 400, 'tiles[1].sensors[1]'],
      [tiles({ sensors: ['1', '2', '3', '4', '5', '6', '7'] }), 400, 'tiles[1].sensors'],
      [tiles({ sensors: [own, foreign] }), 404, 'tiles[1].sensors[1]'],
      [tiles({ sensors: [own, '999999999'] }), 404, 'tiles[1].sensors[1]'],
      [tiles({ kind: 'alerts', sensors: [foreign] }), 404, 'tiles[1].sensors[0]'],
      [tiles({ kind: 'state', sensors: Array.from({ length: 51 }, (_, at) => `${at + 1}`) }), 400, 'tiles[1].sensors'],
      [tiles({ kind: 'state', fields: ['a'] }), 400, 'tiles[1].fields'],
      [tiles({ kind: 'note', text: 'x' }), 400, 'tiles[1].sensors'],
      [tiles({ kind: 'note', sensors: [], text: ' ' }), 400, 'tiles[1].text'],
      [tiles({ fields: ['a', 'x'.repeat(256)] }), 400, 'tiles[1].fields[1]'],
      [tiles({ range: 599 }), 400, 'tiles[1].range'],
      [tiles({ range: 31_622_401 }), 400, 'tiles[1].range'],
      [tiles({ range: 'day' }), 400, 'tiles[1].range'],
      [tiles({ text: 'x'.repeat(2_001) }), 400, 'tiles[1].text'],
      [tiles({ x: 12 }), 400, 'tiles[1].x'],
      [tiles({ x: 1.5 }), 400, 'tiles[1].x'],
      [tiles({ y: -1 }), 400, 'tiles[1].y'],
      [tiles({ x: 7, w: 6 }), 400, 'tiles[1].w'],
      [tiles({ h: 25 }), 400, 'tiles[1].h'],
      [tiles({ h: undefined }), 400, 'tiles[1].h'],
      [Array.from({ length: 51 }, () => NOTE), 400, 'tiles'],
      ['none', 400, 'tiles[0]'],
    ];
    const id = await buildDashboard(user);
    for (const [wrong, status, field] of refusals) {
      for (const answer of [await post({ name: 'n', tiles: wrong }), await put(id, { tiles: wrong })]) {
        const fields = Object.keys(answer.body.fields ?? {});
        assert.deepEqual([answer.status, fields], [status, [`dashboard.${field}`]], JSON.stringify(answer.body));
      }
    }
    assert.equal((await post({ tiles: [] })).body.fields['dashboard.name'], 'is required');
    assert.deepEqual((await user.api.get(`/dashboards/${id}`)).body.dashboard.tiles, []);
  });

  it('refuse a change that is based on an outdated version, if it names one', async () => {
    const id = await buildDashboard(user);
    assert.equal((await put(id, { name: 'one', version: 1 })).status, 200);
    const { status, body } = await put(id, { name: 'two', version: 1 });
    assert.deepEqual([status, body.code], [409, 'conflict']);
    const both = await Promise.all(['a', 'b'].map((name) => put(id, { name, version: 2 })));
    assert.deepEqual(both.map((answer) => answer.status).sort(), [200, 409]);
    assert.equal((await put(id, { name: 'last' })).body.dashboard.version, 4);
  });

  it('belong to their owner, need the scope write to change, and end with the account', async () => {
    const id = await buildDashboard(user);
    for (const answer of [
      await stranger.api.get(`/dashboards/${id}`),
      await stranger.api.get(`/dashboards/${id}/data?tile=0`),
      await stranger.api.put(`/dashboards/${id}`, { dashboard: { name: 'mine' } }),
      await stranger.api.post(`/dashboards/${id}/public`),
      await stranger.api.delete(`/dashboards/${id}/public`),
      await stranger.api.delete(`/dashboards/${id}`),
    ]) {
      assert.equal(answer.status, 404);
    }
    const as = async (fields: object) =>
      apiClient(platform.url, { Authorization: `Bearer ${(await createKey(user, { ...fields })).secret}` });
    const reader = await as({ scopes: ['read'] });
    assert.equal((await reader.get('/dashboards')).body.dashboards.length, 1);
    assert.equal((await reader.post(`/dashboards/${id}/public`)).body.code, 'insufficient_scope');
    const limited = await as({ sensors: [await buildSensor(user)] });
    assert.equal((await limited.get(`/dashboards/${id}/data?tile=0`)).status, 403);
    assert.equal((await user.api.delete(`/users/${user.id}`, { password: user.password })).status, 200);
    assert.deepEqual(await platform.query('SELECT id FROM dashboards WHERE owner_id = ?', [user.id]), []);
  });

  it('are at most 100 for each user, however they are created', async () => {
    await Promise.all(Array.from({ length: 98 }, () => buildDashboard(user)));
    const four = await Promise.all(Array.from({ length: 4 }, () => post({ name: 'one more' })));
    assert.deepEqual(four.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  });

  it('show the data of their tiles: fields, ranges, latest values and gaps', async () => {
    const sensor = await buildSensor(user, { name: 'weather', display_name: 'Roof' });
    await platform.query('UPDATE sensors SET unit = ?, field_units = ? WHERE id = ?', [
      '',
      '{"t":"°C","p":"hPa"}',
      sensor,
    ]);
    const now = clock.now() / 1_000;
    const data = [
      { date: now - 90_000, value: { t: 99, p: 1 } },
      { date: now - 7_000, value: { t: 20, p: 1_000, wind: { speed: 3 } } },
      { date: now - 6_990, value: { t: 22, p: 1_002 } },
      { date: now - 60, value: { t: 25.5, text: 'warm' } },
    ];
    assert.equal((await user.api.post(`/sensors/${sensor}/data`, { data })).status, 201);
    const gone = await buildSensor(user);
    const id = await buildDashboard(user, {
      tiles: [
        chartOf(sensor, { sensors: [sensor, gone], fields: ['t', 'wind.speed'] }),
        { kind: 'value', sensors: [sensor], fields: ['t'], range: 3_600, ...PLACE },
        NOTE,
      ],
    });
    await user.api.delete(`/sensors/${gone}`);
    const tile = async (index: number) => (await user.api.get(`/dashboards/${id}/data?tile=${index}`)).body.tile;
    const { sensors, ...rest } = await tile(0);
    const none = { counts: null, plan: null, alerts: [], alert_count: 0 };
    assert.deepEqual(rest, { version: 1, from: now - 86_400, to: now, interval: 300, sensor_count: 2, ...none });
    const [{ points, ...roof }, other] = sensors;
    const nothing = { state: null, severity: null, since: null, thresholds: [], spot: null };
    assert.deepEqual(roof, {
      ...{ available: true, id: sensor, name: 'Roof', unit: '', field_units: { t: '°C' } },
      ...{ last: { date: now - 60, value: '{"t":25.5}' }, ...nothing },
    });
    assert.deepEqual(
      points.map(({ value, min, max }: Record<string, string>) => [value, min, max]),
      [
        ['{"t":21,"wind.speed":3}', '{"t":20,"wind.speed":3}', '{"t":22,"wind.speed":3}'],
        ['{"t":25.5}', '{"t":25.5}', '{"t":25.5}'],
      ],
    );
    const unavailable = { available: false, id: gone, name: '', unit: '', field_units: {}, last: null, points: [] };
    assert.deepEqual(other, { ...unavailable, ...nothing });
    const value = await tile(1);
    assert.deepEqual([value.interval, value.sensors[0].points.length], [60, 1]);
    assert.deepEqual((await tile(2)).sensors, []);
    clock.advance(2 * 86_400_000);
    const [quiet] = (await tile(1)).sensors;
    assert.deepEqual([quiet.last, quiet.points], [{ date: now - 60, value: '{"t":25.5}' }, []]);
    assert.equal((await put(id, { name: 'still saved' })).status, 200, 'with a sensor that is gone');
    const { body: kept } = await user.api.get(`/dashboards/${id}`);
    assert.equal((await put(id, kept.dashboard)).status, 200, 'and with the tiles that have it');
    assert.equal((await user.api.get(`/dashboards/${id}/data?tile=3`)).status, 404);
    assert.equal((await user.api.get(`/dashboards/${id}/data`)).body.fields.tile, 'is required');
    assert.equal((await user.api.get(`/dashboards/${id}/data?tile=-1`)).status, 400);
  });

  it('refuse values that are too large for a tile', async () => {
    const sensor = await buildSensor(user, { data_type: 'string' });
    const now = clock.now() / 1_000;
    const data = Array.from({ length: 20 }, (_, at) => ({ date: now - at * 400, value: 'x'.repeat(60_000) }));
    assert.equal((await user.api.post(`/sensors/${sensor}/data`, { data })).status, 201);
    const id = await buildDashboard(user, { tiles: [chartOf(sensor)] });
    const { status, body } = await user.api.get(`/dashboards/${id}/data?tile=0`);
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['tile']], JSON.stringify(body).slice(0, 300));
  });
});

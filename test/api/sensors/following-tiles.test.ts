import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import {
  buildDashboard,
  buildSensor,
  buildTrigger,
  chartOf,
  connectTrigger,
  share,
  upload,
} from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const PLACE = { x: 0, y: 0, w: 6, h: 4 };
const FREEZERS = {
  filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] },
  namespace: 'default',
};
const WARM = 'sensor_data_value > 30';

interface Shown {
  id: string | null;
  name: string;
  state: string;
  severity: string | null;
  thresholds: { field: string; value: number; ends: boolean }[];
}

describe('a tile that follows a search', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const tag = async (sensor: string, value: string, owner = user) => {
    const answer = await owner.api.put(`/sensors/${sensor}/metatags`, { metatags: { kind: [value] } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const buildFreezer = async (name: string, owner = user) => {
    const sensor = await buildSensor(owner, { name });
    await tag(sensor, 'freezer', owner);
    return sensor;
  };
  const followed = (kind: string, more: object = {}) => ({ kind, selector: FREEZERS, ...PLACE, ...more });
  const read = async (id: string, tile = 0) => {
    const { status, body } = await user.api.get(`/dashboards/${id}/data?tile=${tile}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.tile;
  };
  const names = (tile: { sensors: Shown[] }) => tile.sensors.map(({ name }) => name);

  it('shows the own sensors that match at the time, also later ones, and no longer the others', async () => {
    const [first, other] = [await buildFreezer('one'), await buildSensor(user, { name: 'two' })];
    const id = await buildDashboard(user, { tiles: [followed('state'), followed('chart'), followed('counts')] });
    assert.deepEqual(names(await read(id)), ['one']);
    await tag(other, 'freezer');
    assert.deepEqual(names(await read(id)), ['one', 'two']);
    assert.deepEqual(names(await read(id, 1)), ['one', 'two']);
    assert.equal((await read(id, 2)).counts.none, 2);
    await tag(first, 'oven');
    assert.deepEqual(names(await read(id)), ['two']);
    await user.api.delete(`/sensors/${other}`);
    const { sensors, sensor_count, counts } = await read(id);
    assert.deepEqual([sensors, sensor_count, counts.none], [[], 0, 0]);
  });

  it('never shows a sensor of another user, even one that is shared', async () => {
    await buildFreezer('own');
    const shared = await buildFreezer('of the stranger', stranger);
    await share(stranger, shared, user);
    const id = await buildDashboard(user, {
      tiles: [followed('state'), { kind: 'state', selector: { all: true }, ...PLACE }, { kind: 'counts', ...PLACE }],
    });
    assert.deepEqual(names(await read(id)), ['own']);
    assert.deepEqual(names(await read(id, 1)), ['own']);
    assert.equal((await read(id, 2)).sensor_count, 1);
  });

  it('has the most urgent sensors first, and counts all', async () => {
    const warm = async (name: string, severity: string, value: number) => {
      const trigger = { name: `${name} rule`, severity, expression: WARM };
      const { sensorId } = await buildAlarm(user, { sensor: { name }, trigger, notifications: [] });
      await tag(sensorId, 'freezer');
      await upload(user, sensorId, { value });
      return sensorId;
    };
    await warm('a fine one', 'critical', 20);
    await warm('b info', 'info', 31);
    await warm('c warning', 'warning', 32);
    const critical = await warm('d critical', 'critical', 33);
    await buildFreezer('e without a rule');
    const quiet = await buildFreezer('f without data');
    await user.api.put(`/sensors/${quiet}`, { sensor: { expected_interval: 60 } });
    await upload(user, quiet, [{ date: Math.floor(Date.now() / 1_000) - 7_200, value: 1 }]);
    await platform.settle();
    const alerts = { kind: 'alerts', selector: FREEZERS, ...PLACE };
    const value = { kind: 'value', sensors: [critical], ...PLACE };
    const id = await buildDashboard(user, { tiles: [followed('state'), followed('counts'), alerts, value] });
    const tile = await read(id);
    const expected = ['d critical', 'c warning', 'b info', 'f without data', 'a fine one', 'e without a rule'];
    assert.deepEqual(names(tile), expected);
    const counts = { critical: 1, warning: 1, info: 1, silent: 1, pending: 0, ok: 1, none: 1 };
    assert.deepEqual([tile.counts, tile.sensor_count], [counts, 6]);
    const counted = await read(id, 1);
    assert.deepEqual([counted.counts, counted.sensors, counted.sensor_count], [counts, [], 6]);
    const severities = async () =>
      (await read(id, 2)).alerts.map(({ severity }: { severity: string }) => severity).join();
    assert.equal(await severities(), 'critical,warning,info');
    await user.api.post('/firings/bulk', { filter: { sensor_id: critical }, action: { acknowledge: {} } });
    assert.equal(await severities(), 'warning,info,critical', 'what somebody handles is less urgent');
    const [{ state, severity, since }] = (await read(id, 3)).sensors;
    assert.deepEqual([state, severity, since > 0], ['firing', 'critical', true]);
  });

  it('charts the first six by name, and says how many there are', async () => {
    for (const number of [8, 7, 6, 5, 4, 3, 2, 1])
      await upload(user, await buildFreezer(`freezer ${number}`), { value: 1 });
    const id = await buildDashboard(user, { tiles: [followed('chart')] });
    const tile = await read(id);
    assert.deepEqual(
      names(tile),
      [1, 2, 3, 4, 5, 6].map((number) => `freezer ${number}`),
    );
    assert.equal(tile.sensor_count, 8);
  });

  it('shows publicly the same without ids, metatags and the search', async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'cold' },
      trigger: { name: 'secret rule', severity: 'warning', expression: WARM },
      notifications: [],
    });
    await tag(sensorId, 'freezer');
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    const id = await buildDashboard(user, { tiles: ['state', 'counts', 'chart'].map((kind) => followed(kind)) });
    const { public: token } = (await user.api.post(`/dashboards/${id}/public`)).body.dashboard;
    const answers = [(await platform.anonymous.get(`/public/${token}`)).body];
    for (const tile of [0, 1, 2]) {
      answers.push((await platform.anonymous.get(`/public/${token}/data?tile=${tile}`)).body);
    }
    const [, states, counts, chart] = answers;
    assert.deepEqual([states.tile.sensors[0].state, states.tile.sensors[0].id], ['firing', null]);
    assert.deepEqual([counts.tile.counts.warning, counts.tile.sensor_count], [1, 1]);
    assert.deepEqual(chart.tile.sensors[0].thresholds, [{ field: '', value: 30, ends: false }]);
    const everything = JSON.stringify(answers);
    for (const secret of ['freezer', 'selector', 'kind:', 'metatag', 'secret rule', user.username]) {
      assert.ok(!everything.includes(secret), secret);
    }
    assert.doesNotMatch(everything, /"(id|owner|sensor_id)":"/);
    await tag(sensorId, 'oven');
    assert.deepEqual((await platform.anonymous.get(`/public/${token}/data?tile=0`)).body.tile.sensors, []);
  });

  it('is stored as given, and refused with the place of what is wrong', async () => {
    const sensor = await buildSensor(user);
    const { body } = await user.api.post('/dashboards', { dashboard: { name: 'n', tiles: [followed('state')] } });
    const [tile] = body.dashboard.tiles;
    assert.deepEqual([tile.selector, tile.sensors], [FREEZERS, []]);
    const again = await user.api.put(`/dashboards/${body.dashboard.id}`, { dashboard: body.dashboard });
    assert.deepEqual(again.body.dashboard.tiles, body.dashboard.tiles);
    const groups = FREEZERS.filter.metatag_statement_groups;
    const refusals: [tile: object, field: string][] = [
      [followed('value'), 'selector'],
      [followed('note', { text: 'x' }), 'selector'],
      [followed('state', { sensors: [sensor] }), 'sensors'],
      [followed('state', { selector: {} }), 'selector.filter'],
      [followed('state', { selector: { filter: {} } }), 'selector.filter'],
      [followed('state', { selector: { ...FREEZERS, all: true } }), 'selector.all'],
      [
        followed('state', { selector: { filter: { metatag_statement_groups: [[]] } } }),
        'selector.filter.metatag_statement_groups[0]',
      ],
      [
        followed('state', {
          selector: { filter: { metatag_statement_groups: [[{ metatag_name: 'a', operator: 'equal', value: null }]] } },
        }),
        'selector.filter.metatag_statement_groups[0][0].value',
      ],
      [
        followed('state', {
          selector: { filter: { metatag_statement_groups: Array.from({ length: 31 }, () => groups[0]) } },
        }),
        'selector.filter',
      ],
    ];
    for (const [wrong, field] of refusals) {
      const answer = await user.api.post('/dashboards', { dashboard: { name: 'n', tiles: [wrong] } });
      const fields = Object.keys(answer.body.fields ?? {});
      assert.deepEqual([answer.status, fields], [400, [`dashboard.tiles[0].${field}`]], JSON.stringify(answer.body));
    }
  });

  it('leaves tiles as they are that were stored before there were searches', async () => {
    const sensor = await buildSensor(user, { name: 'old' });
    const id = await buildDashboard(user, { tiles: [] });
    const stored = { kind: 'state', sensors: [Number(sensor)], fields: [], range: null, text: '', ...PLACE };
    await platform.query('UPDATE dashboards SET tiles = ? WHERE id = ?', [JSON.stringify([stored]), id]);
    const { dashboard } = (await user.api.get(`/dashboards/${id}`)).body;
    assert.deepEqual(dashboard.tiles, [{ ...stored, sensors: [sensor], selector: null, environment: null }]);
    assert.deepEqual(names(await read(id)), ['old']);
    assert.equal((await user.api.put(`/dashboards/${id}`, { dashboard })).status, 200);
  });

  it('draws the numbers of active rules, of the shown fields only', async () => {
    const sensor = await buildSensor(user);
    await upload(user, sensor, { value: { t: 1, secret: 2 } });
    const rules = ['sensor_data_value.t > 30', 'sensor_data_value.secret > 4711', 'sensor_data_value.t > 99'];
    const triggers: string[] = [];
    for (const expression of rules) {
      const trigger = await buildTrigger(user, { expression, resolve_expression: 'sensor_data_value.t < 25' });
      await connectTrigger(user, sensor, trigger);
      triggers.push(trigger);
    }
    await user.api.put(`/sensors/${sensor}/triggers/${triggers[2]}`, { trigger: { active: false } });
    const id = await buildDashboard(user, { tiles: [chartOf(sensor, { fields: ['t'] }), chartOf(sensor)] });
    const numbers = async (tile: number) =>
      (await read(id, tile)).sensors[0].thresholds.map(({ field, value, ends }: Shown['thresholds'][number]) =>
        [field, value, ends].join(' '),
      );
    assert.deepEqual(await numbers(0), ['t 30 false', 't 25 true']);
    assert.deepEqual(await numbers(1), ['t 30 false', 't 25 true', 'secret 4711 false']);
  });
});

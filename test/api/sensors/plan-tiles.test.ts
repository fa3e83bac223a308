import assert from 'node:assert/strict';
import { buildDashboard, buildEnvironment, buildSensor, share, upload } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { pngOf } from '../../support/plan-pictures';

const PLACE = { x: 0, y: 0, w: 6, h: 6 };
/** Some 22 metres from south to north, and 27 from west to east. */
const OUTLINE = '52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954';
const MIDDLE = '52.3701 4.8952';
const PICTURE = pngOf(40, 30);

describe('a tile with a plan', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const buildPlan = async () => {
    const environment = await buildEnvironment(user, { name: 'Secret store', gps_outline: OUTLINE });
    const floor_plan = { image: PICTURE.toString('base64'), width: 20 };
    assert.equal((await user.api.put(`/environments/${environment}/floor_plan`, { floor_plan })).status, 200);
    return environment;
  };
  const put = async (environment: string, positions: Record<string, string>) => {
    const sensors = Object.keys(positions).map((id) => ({ id }));
    assert.equal((await user.api.post(`/environments/${environment}/sensors`, { sensors })).status, 201);
    const moves = Object.entries(positions).map(([sensor_id, position]) => ({ sensor_id, position }));
    const { status, body } = await user.api.put(`/environments/${environment}/positions`, { positions: moves });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const publish = async (id: string): Promise<string> =>
    (await user.api.post(`/dashboards/${id}/public`)).body.dashboard.public;
  const picture = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.url}${path}`, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('shows its picture and the placed sensors, publicly without coordinates, ids and sensors of others', async () => {
    const environment = await buildPlan();
    const [middle, unplaced] = [await buildSensor(user, { name: 'middle', unit: '°C' }), await buildSensor(user)];
    const shared = await buildSensor(stranger, { name: 'shared' });
    await share(stranger, shared, user);
    await put(environment, { [middle]: MIDDLE, [shared]: '52.3702 4.8954' });
    await user.api.post(`/environments/${environment}/sensors`, { sensors: [{ id: unplaced }] });
    await upload(user, middle, { value: 4.5 });
    const id = await buildDashboard(user, { tiles: [{ kind: 'plan', environment, ...PLACE }] });
    const { tile } = (await user.api.get(`/dashboards/${id}/data?tile=0`)).body;
    const bySensor = Object.fromEntries(tile.sensors.map((one: { name: string }) => [one.name, one]));
    assert.deepEqual(Object.keys(bySensor).sort(), ['middle', 'shared']);
    assert.deepEqual([bySensor.middle.last.value, bySensor.middle.unit], ['4.5', '°C']);
    assert.deepEqual(bySensor.middle.spot, { x: 0.5, y: 0.5 });
    assert.ok(bySensor.shared.spot.x > 0.8 && bySensor.shared.spot.x < 1, 'it lies in the east');
    assert.ok(bySensor.shared.spot.y < 0.2 && bySensor.shared.spot.y > 0, 'and in the north');
    assert.equal(tile.plan.outline.length, 4);
    const { x, y, width, height, rotation } = tile.plan.picture;
    assert.deepEqual([x, y, rotation], [0.5, 0.5, 0]);
    assert.ok(width > 0.5 && width < 1 && Math.abs(height - (width * 30) / 40) < 1e-9, `${width} ${height}`);

    const token = await publish(id);
    const open = (await platform.anonymous.get(`/public/${token}/data?tile=0`)).body.tile;
    assert.deepEqual(
      open.sensors.map((one: Record<string, unknown>) => [one.id, one.name, one.spot]),
      [[null, 'middle', { x: 0.5, y: 0.5 }]],
    );
    const everything = JSON.stringify([open, (await platform.anonymous.get(`/public/${token}`)).body]);
    for (const secret of ['52.37', '4.89', 'Secret store', 'environment', 'shared']) {
      assert.ok(!everything.includes(secret), secret);
    }
    const own = await picture(`/dashboards/${id}/plan?tile=0`, { 'X-SESSION_ID': user.session });
    const publicly = await picture(`/public/${token}/plan?tile=0`);
    for (const answer of [own, publicly]) {
      assert.equal(answer.status, 200);
      assert.ok(answer.bytes.equals(PICTURE));
      assert.deepEqual(
        ['content-type', 'content-security-policy', 'x-content-type-options'].map((name) => answer.headers.get(name)),
        ['image/png', "default-src 'none'; sandbox", 'nosniff'],
      );
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    }
  });

  it('is 404 for other users, other tiles and an ended link, and gone with its environment', async () => {
    const environment = await buildPlan();
    const tiles = [
      { kind: 'plan', environment, ...PLACE },
      { kind: 'alerts', ...PLACE },
    ];
    const id = await buildDashboard(user, { tiles });
    const token = await publish(id);
    assert.equal((await stranger.api.get(`/dashboards/${id}/plan?tile=0`)).status, 404);
    assert.equal((await platform.anonymous.get(`/dashboards/${id}/plan?tile=0`)).status, 401);
    for (const tile of [1, 2]) {
      assert.equal((await user.api.get(`/dashboards/${id}/plan?tile=${tile}`)).status, 404);
      assert.equal((await picture(`/public/${token}/plan?tile=${tile}`)).status, 404);
    }
    assert.equal((await picture(`/public/${token}/plan?tile=x`)).status, 400);
    await user.api.delete(`/environments/${environment}/floor_plan`);
    assert.equal((await picture(`/public/${token}/plan?tile=0`)).status, 404);
    const without = (await user.api.get(`/dashboards/${id}/data?tile=0`)).body.tile.plan;
    assert.deepEqual([without.picture, without.outline.length], [null, 4]);
    await user.api.delete(`/environments/${environment}`);
    const { tile } = (await user.api.get(`/dashboards/${id}/data?tile=0`)).body;
    assert.deepEqual([tile.plan, tile.sensors], [null, []]);
    const { dashboard } = (await user.api.get(`/dashboards/${id}`)).body;
    assert.equal((await user.api.put(`/dashboards/${id}`, { dashboard })).status, 200, 'it can still be saved');
    await user.api.delete(`/dashboards/${id}/public`);
    assert.equal((await picture(`/public/${token}/plan?tile=0`)).status, 404);
  });

  it('names an environment of its owner', async () => {
    const own = await buildPlan();
    const foreign = await buildEnvironment(stranger);
    const plan = (more: object) => ({ kind: 'plan', ...PLACE, ...more });
    for (const tile of [
      plan({ environment: Number(own) }),
      { kind: 'alerts', environment: '', selector: '', ...PLACE },
    ]) {
      const { status, body } = await user.api.post('/dashboards', { dashboard: { name: 'n', tiles: [tile] } });
      assert.equal(status, 201, JSON.stringify(body));
    }
    const refusals: [tile: object, status: number, field: string][] = [
      [plan({}), 400, 'environment'],
      [plan({ environment: 'x' }), 400, 'environment'],
      [plan({ environment: foreign }), 404, 'environment'],
      [plan({ environment: '999999999' }), 404, 'environment'],
      [plan({ environment: own, sensors: ['1'] }), 400, 'sensors'],
      [plan({ environment: own, selector: { all: true } }), 400, 'selector'],
      [{ kind: 'alerts', environment: own, ...PLACE }, 400, 'environment'],
    ];
    for (const [tile, status, field] of refusals) {
      const answer = await user.api.post('/dashboards', { dashboard: { name: 'n', tiles: [tile] } });
      const fields = Object.keys(answer.body.fields ?? {});
      assert.deepEqual([answer.status, fields], [status, [`dashboard.tiles[0].${field}`]], JSON.stringify(answer.body));
    }
  });
});

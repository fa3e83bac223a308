import assert from 'node:assert/strict';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { buildSensor, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const YARD = '52 4,52 5,53 5,53 4';
const IN_YARD = { latitude: 52.5, longitude: 4.5 };
const OUTSIDE = { latitude: 51, longitude: 4.5 };

describe('zones in expressions', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const other = useUserPerTest(platform);

  beforeEach(() => {
    receiver.received.length = 0;
    clock.advance(3_600_000);
  });

  const build = async (by: TestUser, name: string, gps_outline?: string): Promise<string> => {
    const { status, body } = await by.api.post('/environments', { environment: { name, gps_outline } });
    assert.equal(status, 201, JSON.stringify(body));
    return body.environment.id;
  };
  const change = async (id: string, environment: Fields) =>
    assert.equal((await user.api.put(`/environments/${id}`, { environment })).status, 200);
  const tracker = (expression: string, trigger: Fields = {}, notifications: Fields[] = []) =>
    buildAlarm(user, {
      sensor: { name: 'truck', data_type: 'json' },
      trigger: { expression, repeat: 0, ...trigger },
      notifications,
    });
  type One = Pick<Alarm, 'sensorId' | 'triggerId'>;
  /** Uploads a value a minute later. Returns the latest decision. */
  const decide = async ({ sensorId, triggerId }: One, value: unknown) => {
    clock.advance(60_001);
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
    const { body } = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`);
    return body.decisions[0];
  };
  const reason = async (one: One, value: unknown): Promise<string> => {
    const { error, reason: why } = await decide(one, value);
    return error || why;
  };
  const put = async (environment: string, sensor: string, position?: string) => {
    assert.equal((await user.api.post(`/environments/${environment}/sensors`, { sensor: { id: sensor } })).status, 201);
    if (position === undefined) return;
    const positions = [{ sensor_id: sensor, position }];
    const { status, body } = await user.api.put(`/environments/${environment}/positions`, { positions });
    assert.equal(status, 200, JSON.stringify(body));
  };

  it('fire when a vehicle enters, and end when it leaves', async () => {
    await build(user, 'yard', YARD);
    const notification = { destination: receiver.url, text: '$sensor_name is in zone {{zone}}' };
    const one = await tracker('in_zone("yard")', { notify_resolved: true, resolved_text: 'left' }, [notification]);
    const reasons: string[] = [];
    for (const place of [OUTSIDE, IN_YARD, IN_YARD, OUTSIDE, OUTSIDE, IN_YARD]) reasons.push(await reason(one, place));
    assert.deepEqual(reasons, ['false', 'fired', 'held-back', 'resolved', 'false', 'fired']);
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['truck is in zone yard', 'left', 'truck is in zone yard'],
    );
  });

  it('have holes', async () => {
    await build(user, 'yard', `${YARD};52.4 4.4,52.4 4.6,52.6 4.6,52.6 4.4`);
    const one = await tracker('in_zone("yard")');
    assert.equal(await reason(one, { latitude: 52.1, longitude: 4.1 }), 'fired');
    assert.equal(await reason(one, IN_YARD), 'resolved', 'it is in the hole');
  });

  it('name the smallest one around the vehicle, and the one before', async () => {
    await build(user, 'country', '40 0,40 20,60 20,60 0');
    await build(user, 'yard', YARD);
    const one = await tracker('zone() != last_zone() and zone() in ["yard", ""]');
    const far = { latitude: 0, longitude: 0 };
    const reasons: string[] = [];
    for (const place of [OUTSIDE, IN_YARD, IN_YARD, OUTSIDE, far]) reasons.push(await reason(one, place));
    const { reason: last, variables } = await decide(one, far);
    reasons.push(last);
    assert.equal(variables.zone, '');
    const { firings } = (await user.api.get(`/sensors/${one.sensorId}/triggers/${one.triggerId}/firings`)).body;
    assert.deepEqual(firings.map((firing: { variables: Fields }) => firing.variables.zone).sort(), ['', 'yard']);
    assert.deepEqual(reasons, ['no-previous-value', 'fired', 'resolved', 'false', 'fired', 'resolved']);
  });

  it('change while a worker caches them, in one order with the points', async () => {
    const yard = await build(user, 'yard', YARD);
    const one = await tracker('in_zone("yard")');
    assert.equal(await reason(one, IN_YARD), 'fired');
    assert.equal(await reason(one, IN_YARD), 'held-back');
    await change(yard, { gps_outline: '10 4,10 5,11 5,11 4' });
    assert.equal(await reason(one, IN_YARD), 'resolved');
    const far = { latitude: 10.5, longitude: 4.5 };
    assert.equal(await reason(one, far), 'fired');
    await change(yard, { name: 'port' });
    assert.equal(await reason(one, far), 'resolved');
    await build(user, 'yard', '10 4,10 5,11 5,11 4');
    assert.equal(await reason(one, far), 'fired');
  });

  it('are gone when their environment is deleted', async () => {
    const yard = await build(user, 'yard', YARD);
    const one = await tracker('in_zone("yard") or zone() == "yard"');
    assert.equal(await reason(one, IN_YARD), 'fired');
    assert.equal((await user.api.delete(`/environments/${yard}`)).status, 200);
    assert.equal(await reason(one, IN_YARD), 'resolved');
  });

  it('are those of the owner of the trigger alone', async () => {
    const theirs = await build(other, 'yard', YARD);
    const one = await tracker('in_zone("yard") or zone() != ""');
    assert.equal(await reason(one, IN_YARD), 'false');
    await user.api.post(`/sensors/${one.sensorId}/users`, { user: { username: other.username } });
    const added = await other.api.post(`/environments/${theirs}/sensors`, { sensor: { id: one.sensorId } });
    assert.equal(added.status, 201);
    assert.match(await reason(one, 21), /the sensor is in no environment/);
    assert.equal(await reason(one, IN_YARD), 'false');
  });

  it('hold sensors that do not move, by their environment, those around it and their position', async () => {
    const [house, office, garage] = [
      await build(user, 'house'),
      await build(user, 'office'),
      await build(user, 'garage'),
    ];
    await build(user, 'country', '40 0,40 20,60 20,60 0');
    const one = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30 and in_zone("house")', repeat: 0 },
      notifications: [],
    });
    assert.match(await reason(one, 31), /the sensor is in no environment/);
    await put(office, one.sensorId);
    assert.equal(await reason(one, 31), 'false');
    await user.api.post(`/environments/${house}/environments`, { environment: { id: office } });
    assert.equal(await reason(one, 31), 'fired');
    await put(garage, one.sensorId);
    assert.equal(await reason(one, 31), 'resolved');
    const where = await edit(one, 'in_zone("country") and zone() == "garage"');
    assert.equal(await reason(where, 1), 'false');
    await put(garage, one.sensorId, '52 4');
    assert.equal(await reason(where, 1), 'fired');
    await user.api.delete(`/environments/${garage}/sensors/${one.sensorId}`);
    assert.match(await reason(where, 1), /the sensor is in no environment/);
  });

  const edit = async (one: One, expression: string): Promise<One> => {
    const { status } = await user.api.put(`/triggers/${one.triggerId}`, { trigger: { expression } });
    assert.equal(status, 200);
    return one;
  };

  it('neither fire nor end without a valid position', async () => {
    const yard = await build(user, 'yard', YARD);
    const one = await tracker('not in_zone("yard")');
    await put(yard, one.sensorId);
    assert.equal(await reason(one, OUTSIDE), 'fired');
    assert.match(await reason(one, { latitude: null, longitude: null }), /no valid position/);
    assert.match(await reason(one, { latitude: 95, longitude: 4 }), /no valid position/);
    assert.equal(await reason(one, OUTSIDE), 'held-back', 'the episode lasts');
    assert.equal(await reason(one, { battery: 3.7 }), 'resolved', 'a value without a position is at its place');
  });

  it('are left and entered although the vehicle has no position for a while', async () => {
    await build(user, 'yard', YARD);
    const one = await tracker('zone() == "yard" and last_zone() == ""', { repeat: null });
    const lost = { latitude: null, longitude: null };
    assert.equal(await reason(one, OUTSIDE), 'no-previous-value');
    for (let point = 0; point < 2; point += 1) assert.match(await reason(one, lost), /no valid position/);
    assert.equal(await reason(one, IN_YARD), 'fired');
    assert.equal(await reason(one, IN_YARD), 'resolved');
  });

  it('are left and entered in a shadow, although its trigger reads other values before', async () => {
    await build(user, 'yard', YARD);
    const [entered, lost] = ['zone() == "yard" and last_zone() == ""', { latitude: null, longitude: null }];
    const tried = async (live: string, shadow: string) => {
      const one = await tracker(live);
      const path = `/triggers/${one.triggerId}/shadow`;
      assert.equal((await user.api.post(path, { shadow: { expression: shadow } })).status, 201);
      for (const place of [OUTSIDE, lost, lost]) await decide(one, place);
      return { one, path, reasonOf: () => reason(one, IN_YARD) };
    };
    const { one, path, reasonOf } = await tried('sensor_data_value.latitude == 0', entered);
    assert.equal(await reasonOf(), 'false');
    assert.equal((await user.api.get(path)).body.shadow.summary.episodes, 1);
    const jump = await tried(entered, 'last_sensor_data_value.latitude == null');
    assert.equal(await jump.reasonOf(), 'fired');
    assert.equal((await user.api.get(jump.path)).body.shadow.summary.episodes, 1);
    assert.equal((await user.api.delete(path)).status, 200);
    assert.equal((await user.api.post(path, { shadow: { expression: entered } })).status, 201);
    for (const place of [OUTSIDE, lost]) await decide(one, place);
    assert.equal((await user.api.post(`${path}/switch`)).status, 200);
    assert.equal(await reason(one, IN_YARD), 'fired', 'the trigger takes over the last place');
  });

  it('of outlines with very many corners delay nobody, and are refused beyond a limit', async () => {
    const corners = Array.from({ length: 620 }, (_, at) => `${at % 2} ${(at / 10).toFixed(1)}`).join(',');
    for (let at = 0; at < 12; at += 1) await build(user, `zone ${at}`, `${corners},-80 31`);
    const one = await tracker('in_zone("zone 3")');
    assert.equal(await reason(one, { latitude: -10, longitude: 31 }), 'fired');
    await platform.query(
      `INSERT INTO environments (owner_id, name, gps_outline, position, created_ms)
       WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 130)
       SELECT ?, CONCAT('more ', i), CONCAT(?, REPEAT(' ', 7900)), '', 0 FROM n`,
      [user.id, YARD],
    );
    await change(await build(user, 'last'), { name: 'the last' });
    assert.match(await reason(one, { latitude: -10, longitude: 31 }), /too many environments/);
    const rest = await buildSensor(other);
    await upload(other, rest, { value: 1 });
  });
});

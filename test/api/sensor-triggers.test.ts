import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('triggers on sensors', () => {
  let platform: Platform;
  let user: TestUser;
  let clock: FakeClock;

  before(async () => {
    clock = fakeClock();
    platform = await startPlatform({ clock });
    user = await platform.user();
  });
  after(() => platform.close());

  const makeSensor = async () => (await user.api.post('/sensors', { sensor: { name: 's' } })).body.sensor.id as string;
  const makeTrigger = async (trigger: Record<string, unknown> = { expression: 'sensor_data_value > 30' }) =>
    (await user.api.post('/triggers', { trigger: { name: 't', ...trigger } })).body.trigger.id as string;
  const alarm = (trigger: Record<string, unknown> = { expression: 'sensor_data_value > 30' }) =>
    buildAlarm(user, { trigger, notifications: [] });

  it('are active and untouched after the connection', async () => {
    const [sensorId, triggerId] = [await makeSensor(), await makeTrigger()];
    const answer = await user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id: triggerId } }] });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body.triggers, [
      {
        id: triggerId,
        name: 't',
        expression: 'sensor_data_value > 30',
        inactivity: null,
        creation_date: clock.now() / 1000,
        active: true,
        last_triggered: 0,
        times_triggered: 0,
        last_sensor_data_value: '',
        last_sensor_data_date: null,
        last_error: '',
      },
    ]);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, answer.body);
    const one = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    assert.deepEqual(one.body, { trigger: answer.body.triggers[0] });
  });

  it('are also connected by a single trigger and by a number', async () => {
    const [sensorId, first, second] = [await makeSensor(), await makeTrigger(), await makeTrigger()];
    assert.equal(
      (await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: Number(first) } })).status,
      201,
    );
    const body = { triggers: { trigger: { id: second } } };
    assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, body)).status, 201);
    assert.equal((await user.api.get(`/sensors/${sensorId}/triggers?total=1`)).body.total, 2);
  });

  it('keep their state when they are connected again', async () => {
    const { sensorId, triggerId } = await alarm();
    await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, { trigger: { active: 0, times_triggered: 4 } });
    const again = await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
    assert.equal(again.status, 201);
    assert.deepEqual([again.body.triggers[0].active, again.body.triggers[0].times_triggered], [false, 4]);
  });

  it('are connected once by many requests at once', async () => {
    const [sensorId, triggerId] = [await makeSensor(), await makeTrigger({ inactivity: 60 })];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } })),
    );
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
    assert.equal((await user.api.get(`/sensors/${sensorId}/triggers?total=1`)).body.total, 1);
  });

  it('are connected all or none', async () => {
    const [sensorId, triggerId] = [await makeSensor(), await makeTrigger()];
    const stranger = await platform.user();
    const foreign = (await stranger.api.post('/triggers', { trigger: { name: 'f', inactivity: 60 } })).body.trigger.id;
    for (const id of [foreign, '999999', 'abc']) {
      const body = { triggers: [{ trigger: { id: triggerId } }, { trigger: { id } }] };
      assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, body)).status, 404, id);
    }
    assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, {})).status, 400);
    assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [] })).status, 400);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, { triggers: [] });
  });

  it('need a sensor of one’s own: a shared one is forbidden, another does not exist', async () => {
    const { sensorId, triggerId } = await alarm();
    const guest = await platform.user();
    const own = (await guest.api.post('/triggers', { trigger: { name: 'g', inactivity: 60 } })).body.trigger.id;
    const connect = () => guest.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: own } });
    assert.equal((await connect()).status, 404);
    assert.equal((await guest.api.get(`/sensors/${sensorId}/triggers`)).status, 404);
    await user.api.post(`/sensors/${sensorId}/users`, { user: { id: guest.id } });
    assert.equal((await connect()).status, 403);
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    assert.equal((await guest.api.post(`${path}/active`, { active: 0 })).status, 403);
    assert.equal((await guest.api.delete(path)).status, 403);
    assert.equal((await user.api.get(path)).body.trigger.active, true);
  });

  it('change only in what is given, under the singular and the plural path', async () => {
    const { sensorId, triggerId } = await alarm();
    const trigger = {
      last_triggered: 1_700_000_000.1234,
      times_triggerd: 3,
      last_sensor_data_value: '21.5',
      last_sensor_data_date: '1.7E9',
    };
    const set = await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, { trigger });
    assert.equal(set.status, 200);
    const expected = {
      ...set.body.trigger,
      active: true,
      last_triggered: 1_700_000_000.123,
      times_triggered: 3,
      last_sensor_data_value: '21.5',
      last_sensor_data_date: 1_700_000_000,
    };
    assert.deepEqual(set.body.trigger, expected);
    const neutral = { trigger: { times_triggered: 0, last_sensor_data_value: '', last_sensor_data_date: null } };
    const changed = await user.api.put(`/sensors/${sensorId}/triggers/${triggerId}`, neutral);
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.trigger, { ...expected, times_triggered: 0 });
  });

  it('are reset by the specification’s `times_triggerd` in a whole record that is sent back', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/trigger/${triggerId}`;
    const put = async (fields: Record<string, unknown>) => {
      const record = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
      return (await user.api.put(path, { trigger: { ...record, ...fields } })).body.trigger.times_triggered;
    };
    assert.equal(await put({ times_triggered: 4 }), 4);
    assert.equal(await put({ times_triggerd: 0 }), 0);
    assert.equal(await put({ times_triggered: 5, times_triggerd: 0 }), 5);
    assert.equal(await put({ times_triggered: 6, times_triggerd: 7 }), 7);
    assert.equal(await put({}), 7);
  });

  it('refuse state that cannot be', async () => {
    const { sensorId, triggerId } = await alarm();
    const wrong = [
      { active: 'perhaps' },
      { last_triggered: -1 },
      { last_triggered: 'x' },
      { times_triggered: 1.5 },
      { times_triggered: -1 },
      { times_triggerd: 1e12 },
      { last_sensor_data_date: 1e300 },
      { last_sensor_data_value: 'ü'.repeat(40_000) },
    ];
    for (const trigger of wrong) {
      const answer = await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, { trigger });
      assert.equal(answer.status, 400, Object.keys(trigger).join());
      assert.ok(Object.keys(answer.body.fields)[0]?.startsWith('trigger.'));
    }
    assert.equal((await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, {})).status, 400);
  });

  it('are switched by a parameter in the query or the body, which is needed', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/active`;
    const off = await user.api.post(`${path}.json?active=0`);
    assert.deepEqual([off.status, off.body.trigger.active], [200, false]);
    const on = await user.api.post(path, { active: 'true' });
    assert.deepEqual([on.status, on.body.trigger.active], [200, true]);
    assert.equal((await user.api.post(path, {})).status, 400);
    assert.equal((await user.api.post(path)).status, 400);
  });

  it('are listed over all sensors with the sensor, only to their owner', async () => {
    const lister = await platform.user();
    const [a, b] = [
      await buildAlarm(lister, { trigger: { inactivity: 60 }, notifications: [] }),
      await buildAlarm(lister, { trigger: { inactivity: 90 }, notifications: [] }),
    ];
    const pairs = (body: { triggers: { id: string; sensor_id: string }[] }) =>
      body.triggers.map(({ id, sensor_id }) => [id, sensor_id]);
    const all = await lister.api.get('/sensors/triggers');
    assert.deepEqual(pairs(all.body), [
      [a.triggerId, a.sensorId],
      [b.triggerId, b.sensorId],
    ]);
    const page = await lister.api.get('/sensors/triggers?per_page=1&page=1&total=1');
    assert.deepEqual([pairs(page.body), page.body.total], [[[b.triggerId, b.sensorId]], 2]);
  });

  it('are off the sensor after a delete, of the connection or of the trigger', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const answer = await user.api.delete(path);
    assert.deepEqual([answer.status, answer.body], [200, {}]);
    assert.equal((await user.api.get(path)).status, 404);
    assert.equal((await user.api.delete(path)).status, 404);
    assert.equal((await user.api.get(`/triggers/${triggerId}`)).status, 200);
    await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
    await user.api.delete(`/triggers/${triggerId}`);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, { triggers: [] });
  });

  it('tell their firings with the variables as they were, oldest first unless asked otherwise', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/firings`;
    assert.deepEqual((await user.api.get(`${path}?total=1`)).body, { firings: [], total: 0 });
    for (const value of [31, 32]) {
      clock.advance(61_000);
      await user.api.post(`/sensors/${sensorId}/data`, { value, date: clock.now() / 1000 });
      await platform.settle();
    }
    const { firings } = (await user.api.get(path)).body;
    assert.deepEqual(
      firings.map((firing: { variables: Record<string, unknown> }) => firing.variables.sensor_data_value),
      ['31', '32'],
    );
    assert.equal(firings[1].reason, 'expression');
    assert.equal(firings[1].date, clock.now() / 1000);
    assert.equal(firings[1].variables.times_triggered, 2);
    assert.deepEqual((await user.api.get(`${path}?sort=desc`)).body.firings, [...firings].reverse());
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(path)).status, 404);
  });
});

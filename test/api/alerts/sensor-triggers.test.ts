import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, buildTrigger, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

describe('triggers on sensors', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  const alarm = (trigger: Record<string, unknown> = { expression: 'sensor_data_value > 30' }) =>
    buildAlarm(user, { trigger, notifications: [] });

  it('are active and in their initial state after the connection', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const response = await user.api.post(`/sensors/${sensorId}/triggers`, {
      triggers: [{ trigger: { id: triggerId } }],
    });
    assert.equal(response.status, 201);
    assert.deepEqual(response.body.triggers, [
      {
        id: triggerId,
        name: 'a trigger',
        expression: 'sensor_data_value > 30',
        inactivity: null,
        hold: 0,
        repeat: null,
        resolve_expression: null,
        keep_firing_for: 0,
        notify_resolved: false,
        resolved_text: '',
        timezone: 'UTC',
        severity: 'warning',
        selector: null,
        selected_sensors: null,
        selector_error: '',
        depends_on: null,
        creation_date: clock.now() / 1000,
        active: true,
        last_triggered: 0,
        times_triggered: 0,
        last_sensor_data_value: '',
        last_sensor_data_date: null,
        last_error: '',
        state: 'ok',
        state_since: clock.now() / 1000,
        muted_until: null,
        next: null,
        by_selector: false,
        late: { count: 0, since: null, handling: 'ignore' },
      },
    ]);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, response.body);
    const one = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    assert.deepEqual(one.body, { trigger: response.body.triggers[0] });
  });

  it('may be connected as a single trigger and by a numeric id', async () => {
    const [sensorId, first, second] = [await buildSensor(user), await buildTrigger(user), await buildTrigger(user)];
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

  it('are connected once by simultaneous requests', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user, { inactivity: 60 })];
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } })),
    );
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [201]);
    assert.equal((await user.api.get(`/sensors/${sensorId}/triggers?total=1`)).body.total, 1);
  });

  it('are connected all or not at all', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const stranger = await platform.user();
    const foreign = await buildTrigger(stranger);
    for (const id of [foreign, '999999', 'abc']) {
      const body = { triggers: [{ trigger: { id: triggerId } }, { trigger: { id } }] };
      assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, body)).status, 404, id);
    }
    assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, {})).status, 400);
    assert.equal((await user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [] })).status, 400);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, { triggers: [] });
  });

  it('require a sensor that the user owns: a shared one is forbidden, another does not exist', async () => {
    const { sensorId, triggerId } = await alarm();
    const guest = await platform.user();
    const own = await buildTrigger(guest);
    const connect = () => guest.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: own } });
    assert.equal((await connect()).status, 404);
    assert.equal((await guest.api.get(`/sensors/${sensorId}/triggers`)).status, 404);
    await share(user, sensorId, guest);
    assert.equal((await connect()).status, 403);
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    assert.equal((await guest.api.post(`${path}/active`, { active: 0 })).status, 403);
    assert.equal((await guest.api.delete(path)).status, 403);
    assert.equal((await user.api.get(path)).body.trigger.active, true);
  });

  it('change only the given fields, under the singular and the plural path', async () => {
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

  it('are reset by the specification’s `times_triggerd` in a record that is sent back', async () => {
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

  it('refuse invalid state', async () => {
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
      const response = await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, { trigger });
      assert.equal(response.status, 400, Object.keys(trigger).join());
      assert.ok(Object.keys(response.body.fields)[0]?.startsWith('trigger.'));
    }
    assert.equal((await user.api.put(`/sensors/${sensorId}/trigger/${triggerId}`, {})).status, 400);
  });

  it('are switched on and off by a required parameter in the query or the body', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/active`;
    const off = await user.api.post(`${path}.json?active=0`);
    assert.deepEqual([off.status, off.body.trigger.active], [200, false]);
    const on = await user.api.post(path, { active: 'true' });
    assert.deepEqual([on.status, on.body.trigger.active], [200, true]);
    assert.equal((await user.api.post(path, {})).status, 400);
    assert.equal((await user.api.post(path)).status, 400);
  });

  it('are listed over all sensors with the sensor, only for their owner', async () => {
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

  it('are removed from the sensor by deleting the connection or the trigger', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const response = await user.api.delete(path);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await user.api.get(path)).status, 404);
    assert.equal((await user.api.delete(path)).status, 404);
    assert.equal((await user.api.get(`/triggers/${triggerId}`)).status, 200);
    await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
    await user.api.delete(`/triggers/${triggerId}`);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers`)).body, { triggers: [] });
  });

  it('list their firings with the values of the variables, oldest first by default', async () => {
    const { sensorId, triggerId } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/firings`;
    assert.deepEqual((await user.api.get(`${path}?total=1`)).body, { firings: [], total: 0 });
    for (const value of [31, 32]) {
      clock.advance(61_000);
      await upload(user, sensorId, { value, date: clock.now() / 1000 });
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

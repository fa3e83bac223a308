import assert from 'node:assert/strict';
import { buildNotification, buildSensor, buildTrigger, createKey, share } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

describe('one action on many sensors', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const other = useUser(platform);

  const buildSensors = (count: number) =>
    Promise.all(Array.from({ length: count }, () => buildSensor(user))).then((ids) =>
      ids.sort((a, b) => Number(a) - Number(b)),
    );
  const bulk = (sensors: unknown, action: unknown, api = user.api) => api.post('/sensors/bulk', { sensors, action });
  const connectedTo = async (triggerId: string) => {
    const { triggers } = (await user.api.get('/sensors/triggers?per_page=1000')).body;
    return triggers
      .filter(({ id }: { id: string }) => id === triggerId)
      .map((one: { sensor_id: string }) => one.sensor_id)
      .sort((a: string, b: string) => Number(a) - Number(b));
  };
  const notificationsOf = async (sensorId: string, triggerId: string) => {
    const { notifications } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/notifications`)).body;
    return notifications.map(({ id }: { id: string }) => id);
  };

  it('connects a trigger with its notifications to 60 sensors, and doing it again changes nothing', async () => {
    const sensors = await buildSensors(60);
    const [triggerId, first, second] = [
      await buildTrigger(user),
      await buildNotification(user),
      await buildNotification(user),
    ];
    for (let round = 0; round < 2; round++) {
      const { status, body } = await bulk(sensors, { connect_trigger: { id: triggerId, notifications: [first] } });
      assert.deepEqual([status, body], [200, { done: 60, failed: [] }]);
      assert.deepEqual(await connectedTo(triggerId), sensors);
      for (const id of [sensors[0], sensors[59]]) assert.deepEqual(await notificationsOf(id ?? '', triggerId), [first]);
    }
    await bulk(sensors.slice(0, 2), { connect_trigger: { id: triggerId, notifications: [second] } });
    await bulk(sensors.slice(0, 1), { connect_trigger: { id: triggerId } });
    assert.deepEqual(await notificationsOf(sensors[0] ?? '', triggerId), [second]);
    await bulk(sensors.slice(1, 2), { connect_trigger: { id: triggerId, notifications: [] } });
    assert.deepEqual(await notificationsOf(sensors[1] ?? '', triggerId), []);
    assert.deepEqual(await notificationsOf(sensors[2] ?? '', triggerId), [first]);
  });

  it('disconnects a trigger, and names no sensor that does not have it', async () => {
    const sensors = await buildSensors(3);
    const triggerId = await buildTrigger(user);
    await bulk(sensors.slice(0, 2), { connect_trigger: { id: triggerId } });
    const { body } = await bulk(sensors, { disconnect_trigger: { id: triggerId } });
    assert.deepEqual(body, { done: 3, failed: [] });
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('names each sensor on which it was refused, and does the others', async () => {
    const [own, shared, foreign] = [await buildSensor(user), await buildSensor(other), await buildSensor(other)];
    await share(other, shared, user);
    const triggerId = await buildTrigger(user);
    const sensors = [shared, own, foreign, 'x', '999999999', own];
    const { status, body } = await bulk(sensors, { connect_trigger: { id: triggerId } });
    const missing = { error: 'the sensor does not exist', code: 'not_found' };
    assert.deepEqual([status, body.done], [200, 1]);
    assert.deepEqual(body.failed, [
      { sensor_id: shared, error: 'only the owner of the sensor may do this', code: 'forbidden' },
      { sensor_id: foreign, ...missing },
      { sensor_id: 'x', ...missing },
      { sensor_id: '999999999', ...missing },
    ]);
    assert.deepEqual(await connectedTo(triggerId), [own]);
  });

  it('does nothing when the trigger or a notification is of another user', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const [foreignTrigger, foreignNotification] = [await buildTrigger(other), await buildNotification(other)];
    const refused = [
      { connect_trigger: { id: foreignTrigger } },
      { disconnect_trigger: { id: foreignTrigger } },
      { connect_trigger: { id: triggerId, notifications: [foreignNotification] } },
    ];
    for (const action of refused) assert.equal((await bulk([sensorId], action)).status, 404);
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('refuses what is not exactly one action on 1 to 500 sensors', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const id = { id: triggerId };
    const refused: [unknown, unknown, string][] = [
      [[sensorId], {}, 'action'],
      [[sensorId], { paint: id }, 'action'],
      [[sensorId], { connect_trigger: id, disconnect_trigger: id }, 'action'],
      [[sensorId], { connect_trigger: {} }, 'action.connect_trigger.id'],
      [[], { connect_trigger: id }, 'sensors'],
      [Array.from({ length: 501 }, () => sensorId), { connect_trigger: id }, 'sensors'],
      [undefined, { connect_trigger: id }, 'sensors'],
    ];
    for (const [sensors, action, field] of refused) {
      const { status, body } = await bulk(sensors, action);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], JSON.stringify(body));
    }
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('says when the trigger reads a field that none of the sensors has', async () => {
    const sensorId = await buildSensor(user);
    await user.api.post(`/sensors/${sensorId}/data`, { value: { temperature: 1 } });
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value.humidity > 3' });
    const { body } = await bulk([sensorId], { connect_trigger: { id: triggerId } });
    assert.match(body.warning, /has the field "humidity"/);
  });

  it('is not for keys that are limited to sensors', async () => {
    const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
    const { secret } = await createKey(user, { scopes: ['read', 'write'], sensors: [sensorId] });
    const body = { sensors: [sensorId], action: { connect_trigger: { id: triggerId } } };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    assert.equal((await fetch(`${platform.url}/sensors/bulk`, request)).status, 403);
    assert.deepEqual(await connectedTo(triggerId), []);
  });

  it('connects each sensor once when two requests do it at the same time', async () => {
    const [sensors, triggerId] = [await buildSensors(20), await buildTrigger(user)];
    const notification = await buildNotification(user);
    const action = { connect_trigger: { id: triggerId, notifications: [notification] } };
    const answers = await Promise.all([bulk(sensors, action), bulk([...sensors].reverse(), action)]);
    for (const { body } of answers) assert.deepEqual(body, { done: 20, failed: [] });
    assert.deepEqual(await connectedTo(triggerId), sensors);
    assert.deepEqual(await notificationsOf(sensors[7] ?? '', triggerId), [notification]);
  });
});

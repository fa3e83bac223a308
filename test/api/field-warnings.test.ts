import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

describe('a trigger that reads fields', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const put = async (id: string, expression: string) =>
    (await user.api.put(`/triggers/${id}`, { trigger: { expression } })).body.warning;

  it('comes with a warning when no connected sensor has one of them', async () => {
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.lux > 3' });
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined, 'it is not connected');
    const sensor = await buildSensor(user, { data_structure: { celsius: 'float', 'rel-humidity': 'float' } });
    const connected = await user.api.post(`/sensors/${sensor}/triggers`, { trigger: { id: trigger } });
    assert.equal(connected.status, 201);
    assert.match(connected.body.warning, /has the field "lux", so its expression cannot be evaluated/);
    assert.match(await put(trigger, 'sensor_data_value.celsius > 4 or last_sensor_data_value.lux > 3'), /"lux"/);
    const right = [
      'sensor_data_value.rel_humidity > 4',
      'sensor_data_value == "sensor_data_value.lux"',
      'current_time > 4',
    ];
    for (const expression of right) assert.equal(await put(trigger, expression), undefined, expression);
    await upload(user, sensor, { value: { lux: { west: 4 } } });
    assert.equal(await put(trigger, 'sensor_data_value.lux.west > 4'), undefined, 'the latest value has it');
  });

  it('comes without one while nothing is known of a sensor, or another one has them', async () => {
    const [trigger, plain, unknown] = [await buildTrigger(user), await buildSensor(user), await buildSensor(user)];
    await upload(user, plain, { value: 7 });
    for (const sensor of [plain, unknown]) await connectTrigger(user, sensor, trigger);
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined);
    await upload(user, unknown, { value: 'dark' });
    assert.match(await put(trigger, 'sensor_data_value.lux > 4'), /"lux"/);
    await upload(user, unknown, { value: { lux: 3 } });
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined);
  });
});

import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, buildService, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('booleans as programs write them', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  /** The reasons of decisions after these values, newest last, and the error that the last one left. */
  const decide = async (dataType: string, expression: string, ...values: unknown[]) => {
    const trigger = { expression, repeat: 60 };
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { data_type: dataType },
      trigger,
      notifications: [],
    });
    const start = clock.now() / 1000;
    for (const value of values) {
      const { status } = await user.api.post(
        `/sensors/${sensorId}/data`,
        `value=${encodeURIComponent(String(value))}`,
        FORM,
      );
      assert.equal(status, 201);
      await platform.settle();
      clock.advance(61_000);
    }
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const { decisions } = (await user.api.get(`${path}/decisions`)).body;
    const record = (await user.api.get(path)).body.trigger;
    const scope = { sensor_ids: [sensorId], start_date: start - 1, end_date: clock.now() / 1000 };
    const { backtest } = (await user.api.post('/triggers/backtest', { trigger, ...scope })).body;
    const reasons = decisions.map(({ reason }: { reason: string }) => reason).reverse();
    const counted: Record<string, number> = {};
    for (const reason of reasons) counted[reason] = (counted[reason] ?? 0) + 1;
    assert.deepEqual(backtest.counts, counted);
    assert.equal(backtest.last_error, record.last_error);
    return { reasons, error: record.last_error };
  };

  it('are compared with true and false, live and in a backtest', async () => {
    const { reasons, error } = await decide('boolean', 'sensor_data_value == true', 'True', 'off', 'YES', 'FALSE');
    assert.deepEqual([reasons, error], [['fired', 'resolved', 'fired', 'resolved'], '']);
    assert.deepEqual((await decide('json', 'sensor_data_value.door == true', '{"door":"True"}')).reasons, ['fired']);
    assert.deepEqual((await decide('', 'sensor_data_value', 'TRUE')).reasons, ['fired']);
  });

  it('are an error where a text spells none, which the sensor trigger shows', async () => {
    const { reasons, error } = await decide('boolean', 'sensor_data_value == true', 'ajar');
    assert.deepEqual(reasons, ['cannot-be-evaluated']);
    assert.match(error, /spells neither true nor false/);
    assert.deepEqual((await decide('string', 'sensor_data_value == "on"', 'on', 'ON')).reasons, ['fired', 'resolved']);
  });

  it('count in formulas', async () => {
    const sensorId = await buildSensor(user, { data_type: 'boolean' });
    const service = await buildService(user, 'math_service', sensorId);
    const set = { parameters: [`_${sensorId}_input ? 7 : 8`] };
    const { status } = await user.api.post(`/sensors/${sensorId}/services/${service}/SetExpression`, set);
    assert.equal(status, 200);
    await upload(user, sensorId, { value: 'ON' });
    await platform.settle();
    const { body } = await user.api.get(`/sensors/${service}/data?last=1`);
    assert.equal(body.data[0]?.value, '7');
  });
});

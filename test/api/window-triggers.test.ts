import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const HOUR = 'avg_over_time(sensor_data_value, 3600) > 30';
const THREE_DAYS = 'avg_over_time(sensor_data_value, 259200) > 30';
const START = 1_767_261_600;

describe('triggers with windows', () => {
  const platform = usePlatform({ config: { DATA_RETENTION_DAYS: '20' } });
  const user = useUser(platform);

  const connect = (sensorId: string, ...ids: string[]) =>
    user.api.post(`/sensors/${sensorId}/triggers`, { triggers: ids.map((id) => ({ trigger: { id } })) });
  const keepingDays = async (days: number) => {
    const sensorId = await buildSensor(user);
    const { status } = await user.api.put(`/sensors/${sensorId}/retention`, { retention: { days } });
    assert.equal(status, 200);
    return sensorId;
  };

  it('are refused with the position of what is wrong', async () => {
    const refused = await user.api.post('/triggers', {
      trigger: { name: 'hot', expression: 'delta(sensor_data_value, 0) > 1' },
    });
    const why =
      'cannot be used: "delta" needs a constant here: a whole number of seconds from 1 to 2678400 at position 25';
    assert.deepEqual([refused.status, refused.body.fields], [400, { 'trigger.expression': why }]);
  });

  it('are refused when the platform keeps less than a window', async () => {
    const trigger = { name: 'hot', expression: 'delta(sensor_data_value, 2678400) > 1' };
    const refused = await user.api.post('/triggers', { trigger });
    const why =
      'cannot be evaluated on any sensor: the sensor keeps its data points for 20 days, which is less than the window of 2678400 seconds';
    assert.deepEqual([refused.status, refused.body.fields], [400, { 'trigger.expression': why }]);
  });

  it('are connected to no sensor that keeps less than a window, and none of the request is', async () => {
    const storesNone = await buildSensor(user, { use_data_storage: false });
    const [hour, days, other] = [
      await buildTrigger(user, { expression: HOUR }),
      await buildTrigger(user, { expression: THREE_DAYS }),
      await buildTrigger(user),
    ];
    const refused = await connect(storesNone, other, hour);
    const why = 'the sensor stores no data points, which a window needs';
    assert.deepEqual(
      [refused.status, refused.body.error],
      [409, `the trigger ${hour} cannot be evaluated on this sensor: ${why}`],
    );
    assert.deepEqual((await user.api.get(`/sensors/${storesNone}/triggers`)).body.triggers, []);
    const keepsTwo = await keepingDays(2);
    assert.deepEqual([(await connect(keepsTwo, days)).status, (await connect(keepsTwo, hour)).status], [409, 201]);
  });

  it('are changed to no window that one of their sensors does not keep', async () => {
    const [first, keepsTwo] = [await buildSensor(user), await keepingDays(2)];
    const triggerId = await buildTrigger(user, { expression: HOUR });
    for (const sensorId of [first, keepsTwo]) await connectTrigger(user, sensorId, triggerId);
    const change = (expression: string) => user.api.put(`/triggers/${triggerId}`, { trigger: { expression } });
    const refused = await change(THREE_DAYS);
    const why = `cannot be evaluated on the sensor ${keepsTwo}: the sensor keeps its data points for 2 days, which is less than the window of 259200 seconds`;
    assert.deepEqual([refused.status, refused.body.fields], [400, { 'trigger.expression': why }]);
    assert.equal((await user.api.get(`/triggers/${triggerId}`)).body.trigger.expression, HOUR);
    assert.equal((await change('delta(sensor_data_value, 60) > 1')).status, 200);
  });

  it('have a warning with notify_resolved if they become false by themselves', async () => {
    const warningOf = async (expression: string) =>
      (await user.api.post('/triggers', { trigger: { name: 'a', expression, notify_resolved: true } })).body.warning;
    assert.match(await warningOf('delta(sensor_data_value, 60) > 5'), /reads delta, so it may become false/);
    assert.equal(await warningOf(HOUR), undefined);
  });

  it('are backtested with the points before the start', async () => {
    const sensorId = await buildSensor(user);
    const data = [10, 20, 60, 0, 0].map((value, index) => ({ value, date: START + index * 1000 }));
    await upload(user, sensorId, data);
    const backtest = async (fields: Record<string, unknown>) => {
      const body = { trigger: { expression: 'avg_over_time(sensor_data_value, 3000) >= 20' }, sensor_ids: [sensorId] };
      const answer = await user.api.post('/triggers/backtest', { ...body, ...fields });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.backtest.firings.map(({ date }: { date: number }) => (date - START) / 1000);
    };
    assert.deepEqual(await backtest({}), [2, 3, 4]);
    assert.deepEqual(await backtest({ start_date: START + 4000 }), [4]);
  });

  it('are backtested where the sensor keeps too little with the reason', async () => {
    const sensorId = await keepingDays(2);
    await upload(user, sensorId, { value: 1, date: START });
    const body = { trigger: { expression: THREE_DAYS }, sensor_ids: [sensorId] };
    const { backtest } = (await user.api.post('/triggers/backtest', body)).body;
    assert.deepEqual(backtest.counts, { 'cannot-be-evaluated': 1 });
    assert.match(backtest.last_error, /keeps its data points for 2 days/);
  });
});

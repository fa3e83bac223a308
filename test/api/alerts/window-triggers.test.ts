import assert from 'node:assert/strict';
import { buildSensor, buildService, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

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

  it('keep their sensor from storing nothing, and from keeping less than their window', async () => {
    const sensorId = await keepingDays(10);
    const triggerId = await buildTrigger(user, { name: 'hot', expression: THREE_DAYS });
    await connectTrigger(user, sensorId, triggerId);
    const store = (isOn: boolean) => user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: isOn } });
    const keep = (days: number) => user.api.put(`/sensors/${sensorId}/retention`, { retention: { days } });
    const why = `cannot change to this value: the trigger ${triggerId} ("hot") has a window of 259200 seconds, for which the sensor must keep its data points`;
    const [off, short] = [await store(false), await keep(2)];
    assert.deepEqual([off.status, off.body.fields], [409, { 'sensor.use_data_storage': why }]);
    assert.deepEqual([short.status, short.body.fields], [409, { 'retention.days': why }]);
    const { sensor } = (await user.api.get(`/sensors/${sensorId}`)).body;
    const { retention } = (await user.api.get(`/sensors/${sensorId}/retention`)).body;
    assert.deepEqual([sensor.use_data_storage, retention.days], [true, 10]);
    assert.equal((await keep(3)).status, 200);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/retention`)).status, 200);
    assert.equal((await keep(5)).status, 200);
    assert.equal((await store(true)).status, 200);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/triggers/${triggerId}`)).status, 200);
    assert.deepEqual([(await keep(1)).status, (await store(false)).status], [200, 200]);
  });

  it('keep their sensor from storing nothing as formulas do, with all other fields unchanged', async () => {
    const [sensorId, other] = [await buildSensor(user), await buildSensor(user)];
    const serviceId = await buildService(user, 'math_service', sensorId, other);
    const formula = (text: string) =>
      user.api.post(`/sensors/${sensorId}/services/${serviceId}/SetExpression`, { parameters: [text] });
    assert.equal((await formula(`avg_over_time(_${sensorId}_x, 60) + _${other}_x`)).status, 200);
    const change = (id: string, sensor: Record<string, unknown>) => user.api.put(`/sensors/${id}`, { sensor });
    const refused = await change(sensorId, { name: 'changed', use_data_storage: false });
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, new RegExp(`the service ${serviceId} \\(".*"\\) has a window of 60 seconds`));
    assert.notEqual((await user.api.get(`/sensors/${sensorId}`)).body.sensor.name, 'changed');
    assert.equal((await change(other, { use_data_storage: false })).status, 200);
    assert.equal((await formula(`_${sensorId}_x + _${other}_x`)).status, 200);
    assert.equal((await change(sensorId, { use_data_storage: false })).status, 200);
  });

  it('of formulas keep out a sensor that stores nothing, when it is connected again', async () => {
    const [sensorId, other] = [await buildSensor(user), await buildSensor(user)];
    const serviceId = await buildService(user, 'math_service', sensorId, other);
    const path = `/sensors/${other}/services/${serviceId}/SetExpression`;
    const parameters = [`avg_over_time(_${sensorId}_x, 60)`];
    assert.equal((await user.api.post(path, { parameters })).status, 200);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`)).status, 200);
    assert.equal((await user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: false } })).status, 200);
    const again = await user.api.post(`/sensors/${sensorId}/services`, { service: { id: serviceId } });
    const why = 'the sensor stores no data points, which a window needs';
    assert.deepEqual(
      [again.status, again.body.error],
      [409, `the service ${serviceId} cannot be computed on this sensor: ${why}`],
    );
  });

  describe('with many different x', () => {
    const using = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `changes(sensor_data_value+${from + index},60)>-1`).join(' and ');
    const limit = 'the windows of a sensor use at most 20 different "x" over all its triggers';

    it('are refused when a trigger alone uses more than 20, saved or tried', async () => {
      const why = 'uses more than 20 different "x" in its window functions';
      const sensorId = await buildSensor(user);
      const trigger = { expression: using(0, 11), resolve_expression: using(11, 10) };
      const refused = await user.api.post('/triggers', { trigger: { name: 'many', ...trigger } });
      assert.deepEqual([refused.status, refused.body.fields], [400, { 'trigger.expression': why }]);
      const tried = await user.api.post('/triggers/backtest', { trigger, sensor_ids: [sensorId] });
      assert.deepEqual([tried.status, tried.body.fields], [400, { 'trigger.expression': why }]);
      const shared = { name: 'same', expression: using(0, 20), resolve_expression: using(5, 10) };
      assert.equal((await user.api.post('/triggers', { trigger: shared })).status, 201);
    });

    it('are not connected to a sensor that would use more than 20, by hand, in bulk or by an edit', async () => {
      const sensorId = await buildSensor(user);
      const [first, same, more, small] = [
        await buildTrigger(user, { expression: using(0, 15) }),
        await buildTrigger(user, { expression: using(5, 15) }),
        await buildTrigger(user, { expression: using(20, 1) }),
        await buildTrigger(user, { expression: HOUR }),
      ];
      assert.equal((await connect(sensorId, first, same)).status, 201);
      const refused = await connect(sensorId, more);
      assert.deepEqual([refused.status, refused.body.error], [409, `this sensor would exceed a limit: ${limit}`]);
      const bulk = await user.api.post('/sensors/bulk', {
        sensors: [sensorId],
        action: { connect_trigger: { id: more } },
      });
      assert.equal(bulk.body.done, 0);
      assert.match(bulk.body.failed[0].error, /at most 20 different "x"/);
      const edit = (expression: string) => user.api.put(`/triggers/${same}`, { trigger: { expression } });
      const edited = await edit(using(6, 15));
      assert.deepEqual(
        [edited.status, edited.body.error],
        [409, `the sensor ${sensorId} would exceed a limit: ${limit}`],
      );
      assert.equal((await edit(using(0, 19))).status, 200);
      assert.equal((await connect(sensorId, small)).status, 201);
    });

    it('are not connected by a selector to a sensor that would use more than 20, which the selector reports', async () => {
      const name = 'has many different x';
      const sensorId = await buildSensor(user, { name });
      await connectTrigger(user, sensorId, await buildTrigger(user, { expression: using(0, 20) }));
      const equal = { sensor_property: 'name', operator: 'equal', value: name };
      const selector = { filter: { sensor_statement_groups: [[equal]] } };
      const [full, fitting] = [
        await buildTrigger(user, { expression: using(20, 1), selector }),
        await buildTrigger(user, { expression: using(19, 1), selector }),
      ];
      await platform.settle();
      const errorOf = async (id: string) => (await user.api.get(`/triggers/${id}`)).body.trigger.selector_error;
      assert.match(await errorOf(full), /^1 of the 1 selected .* and 20 different "x" in their window functions$/);
      assert.equal(await errorOf(fitting), '');
      assert.equal((await user.api.get(`/sensors/${sensorId}/triggers`)).body.triggers.length, 2);
    });
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

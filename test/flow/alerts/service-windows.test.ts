import assert from 'node:assert/strict';
import { buildSensor, buildService, type Fields, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';
import { feedService, valuesOf } from '../../support/services';

describe('formulas with windows', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const other = useUser(platform);

  beforeEach(() => clock.advance(3_600_000));

  const now = () => clock.now() / 1000;
  const run = (sensorId: string, serviceId: string, method: string, ...parameters: string[]) =>
    user.api.post(`/sensors/${sensorId}/services/${serviceId}/${method}`, { parameters });
  const dated = async (sensorId: string, serviceId: string, formula: string) => {
    for (const [method, parameter] of [
      ['SetExpression', formula],
      ['SetUseDataTimestamp', '1'],
    ] as const) {
      const { status, body } = await run(sensorId, serviceId, method, parameter);
      assert.equal(status, 200, JSON.stringify(body));
    }
  };
  /** A service of one sensor, which is `_x` in the formula. */
  const formulaOf = async (formula: string, sensor: Fields = {}) => {
    const fed = await feedService(user, 'math_service', sensor);
    await dated(fed.sensorId, fed.serviceId, formula.replaceAll('_x', `_${fed.sensorId}_x`));
    return fed;
  };
  /** A service of two sensors, which are `_a` and `_b` in the formula. */
  const formulaOfTwo = async (formula: string) => {
    const [a, b] = [await buildSensor(user, { name: 'a' }), await buildSensor(user, { name: 'b' })];
    const serviceId = await buildService(user, 'math_service', a, b);
    await dated(a, serviceId, formula.replaceAll('_a', `_${a}_a`).replaceAll('_b', `_${b}_b`));
    return { a, b, serviceId };
  };
  const send = async (sensorId: string, ...data: Fields[]) => {
    await upload(user, sensorId, data);
    await platform.settle();
  };
  const errorOf = async ({ sensorId, serviceId }: { sensorId: string; serviceId: string }) => {
    const { body } = await user.api.get(`/sensors/${sensorId}/services`);
    return body.services.find(({ id }: { id: string }) => id === serviceId).last_error;
  };

  it('give the mean of the stored points up to each point', async () => {
    const { sensorId, serviceId } = await formulaOf('avg_over_time(_x, 100)');
    const values = [5, 1, 4, 9, 2, 6];
    const data = values.map((value, index) => ({ value, date: now() - 300 + index * 40 }));
    await send(sensorId, ...data.slice(0, 4));
    await send(sensorId, ...data.slice(4));
    const naive = data.map(({ date }) => {
      const inside = data.filter((one) => one.date > date - 100 && one.date <= date);
      return String(inside.reduce((sum, { value }) => sum + value, 0) / inside.length);
    });
    assert.deepEqual(
      (await valuesOf(user, serviceId)).map((value) => Number(value).toFixed(9)),
      naive.map((value) => Number(value).toFixed(9)),
    );
  });

  it('count the rate of a counter through a restart', async () => {
    const { sensorId, serviceId } = await formulaOf('rate(_x, 600) * 60');
    await send(sensorId, { value: 100, date: now() - 180 });
    assert.match(
      await errorOf({ sensorId, serviceId }),
      /"rate" needs 2 or more numbers within 600 seconds, and has 1/,
    );
    await send(sensorId, { value: 160, date: now() - 120 });
    await send(sensorId, { value: 20, date: now() - 60 }, { value: 80, date: now() });
    assert.equal(await errorOf({ sensorId, serviceId }), undefined);
    // 60 in the first minute, then 20 after a restart, then 60.
    assert.deepEqual(await valuesOf(user, serviceId), ['60', '40', String((140 / 180) * 60)]);
  });

  it('count a late, a replaced and a deleted point from the next point on', async () => {
    const { sensorId, serviceId } = await formulaOf('sum_over_time(_x, 100)');
    await send(sensorId, { value: 1, date: now() });
    await send(sensorId, { value: 5, date: now() - 10 });
    await send(sensorId, { value: 10, date: now() - 10 });
    await send(sensorId, { value: 100, date: now() + 1 });
    await user.api.delete(`/sensors/${sensorId}/data?start_date=${now() - 20}&end_date=${now() - 1}`);
    await send(sensorId, { value: 1000, date: now() + 2 });
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '111', '1101']);
  });

  it('use the new window as soon as the formula has another one', async () => {
    const { sensorId, serviceId } = await formulaOf('sum_over_time(_x, 5)');
    for (const [ago, value] of [
      [30, 1],
      [20, 10],
      [10, 100],
    ] as const)
      await send(sensorId, { value, date: now() - ago });
    await run(sensorId, serviceId, 'SetExpression', `sum_over_time(_${sensorId}_x, 60)`);
    await send(sensorId, { value: 1000, date: now() });
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '10', '100', '1111']);
  });

  it('read the points of each sensor up to the date of the point that arrived', async () => {
    const { a, b, serviceId } = await formulaOfTwo('sum_over_time(_a, 60) * 1000 + sum_over_time(_b, 60)');
    await send(a, { value: 1, date: now() - 100 });
    await send(b, { value: 1, date: now() - 90 });
    await send(a, { value: 2, date: now() - 80 });
    await send(b, { value: 3, date: now() - 25 });
    await send(a, { value: 5, date: now() - 24 });
    assert.deepEqual(await valuesOf(user, serviceId), ['1001', '3001', '2003', '7003']);
  });

  it('read fields and items of lists, inside and outside of windows', async () => {
    const { sensorId, serviceId } = await formulaOf(
      'max_over_time(_x["a-b"] + _x.list[1], 60) * 10 + _x_list[0] + _x.deep.er + _x["list"][1]',
      { data_type: 'json' },
    );
    const value = (ab: number) => ({ 'a-b': ab, list: [3, ab], deep: { er: 2 } });
    await send(sensorId, { value: value(7), date: now() - 10 }, { value: value(1), date: now() });
    assert.deepEqual(await valuesOf(user, serviceId), ['152', '146']);
  });

  it('cannot be computed with more points than a window holds, and again when they are gone', async () => {
    const one = await formulaOf('count_over_time(_x, 86400)');
    const many = Array.from({ length: 5_001 }, (_, index) => ({ value: 1, date: now() - 6_000 + index }));
    await upload(user, one.sensorId, many);
    await platform.settle();
    assert.equal(await errorOf(one), 'more than 5000 points within 86400 seconds, for "count_over_time"');
    assert.equal((await valuesOf(user, one.serviceId)).length, 1000);
    const range = `start_date=0&end_date=${now() - 1_500}`;
    const deleted = await user.api.delete(`/sensors/${one.sensorId}/data?${range}`);
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
    await send(one.sensorId, { value: 1, date: now() });
    assert.equal(await errorOf(one), undefined);
    const last = await user.api.get(`/sensors/${one.serviceId}/data?last=1`);
    assert.equal(last.body.data[0].value, '501');
  });

  it('are refused on a sensor that stores nothing or keeps less, and leave the formula unchanged', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service', { use_data_storage: false });
    const set = (seconds: number) =>
      run(sensorId, serviceId, 'SetExpression', `avg_over_time(_${sensorId}_x, ${seconds})`);
    const refused = await set(60);
    const why = `cannot be used: "avg_over_time" cannot be computed on the sensor ${sensorId}: the sensor stores no data points, which a window needs`;
    assert.deepEqual([refused.status, refused.body.fields], [400, { parameters: why }]);
    await user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: true } });
    await user.api.put(`/sensors/${sensorId}/retention`, { retention: { days: 2 } });
    assert.match((await set(259_200)).body.error, /keeps its data points for 2 days, which is less than the window/);
    assert.equal((await set(172_800)).status, 200);
    const read = await user.api.get(`/sensors/${sensorId}/services/${serviceId}/GetExpression`);
    assert.equal(read.body.result, `avg_over_time(_${sensorId}_x, 172800)`);
  });

  it('say that a sensor of another user no longer stores its points', async () => {
    const foreign = await buildSensor(other, { name: 'x' });
    await share(other, foreign, user);
    const serviceId = await buildService(user, 'math_service', foreign);
    await dated(foreign, serviceId, `avg_over_time(_${foreign}_x, 60)`);
    await upload(other, foreign, { value: 4, date: now() });
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), ['4']);
    const off = await other.api.put(`/sensors/${foreign}`, { sensor: { use_data_storage: false } });
    assert.equal(off.status, 200);
    await upload(other, foreign, { value: 4, date: now() + 1 });
    await platform.settle();
    assert.match(await errorOf({ sensorId: foreign, serviceId }), /stores no data points, which a window needs/);
  });

  it('leave services that learn or keep statistics as they are', async () => {
    const sensorId = await buildSensor(user, { name: 'x' });
    const [room, statistics] = [
      await buildService(user, 'state_recognition_service', sensorId),
      await buildService(user, 'statistics_service', sensorId),
    ];
    const math = await buildService(user, 'math_service', sensorId);
    await dated(sensorId, math, `delta(_${sensorId}_x, 60)`);
    await send(sensorId, { value: 1, date: now() }, { value: 4, date: now() + 10 });
    await user.api.post(`/sensors/${sensorId}/services/${room}/manualLearn`, {
      start_date: now(),
      end_date: now() + 10,
      class_label: 'calm',
    });
    const labels = await user.api.get(`/sensors/${sensorId}/services/${room}/GetClassLabels`);
    assert.equal(labels.body.result, '["calm"]');
    assert.equal((await valuesOf(user, statistics)).length, 2);
    assert.deepEqual(await valuesOf(user, math), ['3']);
  });
});

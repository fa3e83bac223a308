import assert from 'node:assert/strict';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import {
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  connectNotification,
  connectTrigger,
  share,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { feedService, valuesOf } from '../../support/services';

describe('the path of a data point through services', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);

  const run = (sensorId: string, serviceId: string, method: string, ...parameters: string[]) =>
    user.api.post(`/sensors/${sensorId}/services/${serviceId}/${method}`, { parameters });
  const send = (sensorId: string, ...values: unknown[]) => {
    const data = values.map((value, index) => ({ value, date: 1_795_000_000 + index }));
    return upload(user, sensorId, data);
  };

  it('leads to results in the virtual sensor, where a trigger fires and notifies', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input * 2`);
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value > 50' });
    const text = 'now {{sensor_data_value}}';
    const notification = await buildNotification(user, { destination: receiver.url, text });
    await connectTrigger(user, serviceId, trigger);
    await connectNotification(user, serviceId, trigger, notification);
    await send(sensorId, 10, 20, 30);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), ['20', '40', '60']);
    assert.deepEqual(
      receiver.received.map(({ form }) => form),
      [{ sensor_id: serviceId, trigger_id: trigger, text: 'now 60' }],
    );
  });

  it('continues through a chain of services', async () => {
    const first = await feedService(user, 'math_service');
    await run(first.sensorId, first.serviceId, 'SetExpression', `_${first.sensorId}_input + 1`);
    await run(first.sensorId, first.serviceId, 'SetUseDataTimestamp', '1');
    const second = await buildService(user, 'math_service', first.serviceId);
    await run(first.serviceId, second, 'SetExpression', `_${first.serviceId}_x * 10`);
    await run(first.serviceId, second, 'SetUseDataTimestamp', '1');
    const third = await buildService(user, 'statistics_service', second);
    await send(first.sensorId, 1, 2);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, second), ['20', '30']);
    const statistics = (await valuesOf(user, third)).map((value) => JSON.parse(value));
    assert.deepEqual(
      statistics.map(({ mean, count }) => [mean, count]),
      [
        [20, 1],
        [25, 2],
      ],
    );
  });

  it('has the same results when an upload is repeated', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await run(sensorId, serviceId, 'SetUseDataTimestamp', '1');
    for (let time = 0; time < 2; time += 1) {
      await send(sensorId, 1, 2, 3);
      await platform.settle();
    }
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '2', '3']);
  });

  it('counts a point once when a client repeats an upload after a lost response', async () => {
    const { sensorId, serviceId } = await feedService(user, 'statistics_service');
    for (let time = 0; time < 2; time += 1) {
      await send(sensorId, 1, 2, 3);
      await platform.settle();
    }
    const [latest] = (await user.api.get(`/sensors/${serviceId}/data?last=1`)).body.data;
    const { count, mean } = JSON.parse(latest.value);
    assert.deepEqual([count, mean], [3, 2]);
  });

  it('has no second result for a repeated point, even when results are dated by the arrival', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    for (let time = 0; time < 2; time += 1) {
      await send(sensorId, 1, 2);
      await platform.settle();
    }
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '2']);
  });

  it('counts every point once when sensors of several partitions feed one service simultaneously', async () => {
    const { sensorId, serviceId } = await feedService(user, 'statistics_service');
    await run(sensorId, serviceId, 'SetWindow', '5000', 'points');
    const sensors = [sensorId];
    for (let count = 1; count < 6; count += 1) sensors.push((await feedService(user, { id: serviceId })).sensorId);
    const partitions = sensors.map((id) => Number(id) % platform.container.config.partitions);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        sensors.map((id, index) =>
          user.api.post(`/sensors/${id}/data`, { value: 1, date: 1_795_000_000 + round * 10 + index }),
        ),
      );
      await Promise.all(
        [...partitions, ...partitions].map((partition) => handleEvaluation({ partition }, platform.container)),
      );
    }
    await platform.settle();
    const [latest] = (await user.api.get(`/sensors/${serviceId}/data?last=1`)).body.data;
    assert.equal(JSON.parse(latest.value).count, 60);
  });

  it('ends when the sensor is no longer shared with the owner of the service', async () => {
    const friend = await platform.user();
    const lent = await buildSensor(friend);
    await share(friend, lent, user);
    const serviceId = await buildService(user, 'statistics_service', lent);
    await upload(friend, lent, { value: 1, date: 1 });
    await platform.settle();
    assert.equal((await valuesOf(user, serviceId)).length, 1);
    await platform.query('DELETE FROM sensor_users WHERE sensor_id = ?', [lent]);
    await upload(friend, lent, { value: 2, date: 2 });
    await platform.settle();
    assert.equal((await valuesOf(user, serviceId)).length, 1);
  });

  it('ends when the sensor is disconnected', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await send(sensorId, 1);
    await platform.settle();
    await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`);
    await send(sensorId, 1, 2);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), ['1']);
  });

  it('stores no results in a virtual sensor without data storage', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await user.api.put(`/sensors/${serviceId}`, { sensor: { use_data_storage: false } });
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await send(sensorId, 1);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), []);
  });
});

import assert from 'node:assert/strict';
import { handleSensorTurn } from '../../workers/sensor-turn.worker';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { feedService, valuesOf } from '../support/services';

describe('the way from a data point through services', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
    user = await platform.user();
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });

  const run = (sensorId: string, serviceId: string, method: string, ...parameters: string[]) =>
    user.api.post(`/sensors/${sensorId}/services/${serviceId}/${method}`, { parameters });
  const upload = (sensorId: string, ...values: unknown[]) =>
    user.api.post(`/sensors/${sensorId}/data`, {
      data: values.map((value, index) => ({ value, date: 1_795_000_000 + index })),
    });

  it('writes what a service computes to its virtual sensor, where a trigger fires and notifies', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input * 2`);
    const trigger = (
      await user.api.post('/triggers', { trigger: { name: 'high', expression: 'sensor_data_value > 50' } })
    ).body.trigger.id;
    const notification = (
      await user.api.post('/notifications', {
        notification: { type: 'url', destination: receiver.url, text: 'now {{sensor_data_value}}' },
      })
    ).body.notification.id;
    await user.api.post(`/sensors/${serviceId}/triggers`, { trigger: { id: trigger } });
    await user.api.post(`/sensors/${serviceId}/triggers/${trigger}/notifications`, {
      notification: { id: notification },
    });
    await upload(sensorId, 10, 20, 30);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), ['20', '40', '60']);
    assert.deepEqual(
      receiver.received.map(({ form }) => form),
      [{ sensor_id: serviceId, trigger_id: trigger, text: 'now 60' }],
    );
  });

  it('goes on through a chain of services', async () => {
    const first = await feedService(user, 'math_service');
    await run(first.sensorId, first.serviceId, 'SetExpression', `_${first.sensorId}_input + 1`);
    await run(first.sensorId, first.serviceId, 'SetUseDataTimestamp', '1');
    const connect = async (sensorId: string, name: string): Promise<string> =>
      (await user.api.post(`/sensors/${sensorId}/services`, { service: { name } })).body.service.id;
    const second = await connect(first.serviceId, 'math_service');
    await run(first.serviceId, second, 'SetExpression', `_${first.serviceId}_x * 10`);
    await run(first.serviceId, second, 'SetUseDataTimestamp', '1');
    const third = await connect(second, 'statistics_service');
    await upload(first.sensorId, 1, 2);
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

  it('writes the same when the same upload comes twice', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await run(sensorId, serviceId, 'SetUseDataTimestamp', '1');
    for (let time = 0; time < 2; time += 1) {
      await upload(sensorId, 1, 2, 3);
      await platform.settle();
    }
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '2', '3']);
  });

  it('counts a point once when a client that got no answer sends it again', async () => {
    const { sensorId, serviceId } = await feedService(user, 'statistics_service');
    for (let time = 0; time < 2; time += 1) {
      await upload(sensorId, 1, 2, 3);
      await platform.settle();
    }
    const [latest] = (await user.api.get(`/sensors/${serviceId}/data?last=1`)).body.data;
    const { count, mean } = JSON.parse(latest.value);
    assert.deepEqual([count, mean], [3, 2]);
  });

  it('writes no second result for a point that is sent again, also when results are dated by the arrival', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    for (let time = 0; time < 2; time += 1) {
      await upload(sensorId, 1, 2);
      await platform.settle();
    }
    assert.deepEqual(await valuesOf(user, serviceId), ['1', '2']);
  });

  it('counts every point once when sensors of several partitions feed one service in turns at once', async () => {
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
        [...partitions, ...partitions].map((partition) => handleSensorTurn({ partition }, platform.container)),
      );
    }
    await platform.settle();
    const [latest] = (await user.api.get(`/sensors/${serviceId}/data?last=1`)).body.data;
    assert.equal(JSON.parse(latest.value).count, 60);
  });

  it('gets no points of a sensor that is not shared with its owner any more', async () => {
    const friend = await platform.user();
    const lent = (await friend.api.post('/sensors', { sensor: { name: 'lent' } })).body.sensor.id;
    await friend.api.post(`/sensors/${lent}/users`, { user: { id: user.id } });
    const { id: serviceId } = (
      await user.api.post(`/sensors/${lent}/services`, { service: { name: 'statistics_service' } })
    ).body.service;
    await friend.api.post(`/sensors/${lent}/data`, { value: 1, date: 1 });
    await platform.settle();
    assert.equal((await valuesOf(user, serviceId)).length, 1);
    await platform.query('DELETE FROM sensor_users WHERE sensor_id = ?', [lent]);
    await friend.api.post(`/sensors/${lent}/data`, { value: 2, date: 2 });
    await platform.settle();
    assert.equal((await valuesOf(user, serviceId)).length, 1);
  });

  it('computes nothing any more after the sensor was disconnected', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await upload(sensorId, 1);
    await platform.settle();
    await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`);
    await upload(sensorId, 1, 2);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), ['1']);
  });

  it('evaluates, but does not keep, what goes to a virtual sensor that stores nothing', async () => {
    const { sensorId, serviceId } = await feedService(user, 'math_service');
    await user.api.put(`/sensors/${serviceId}`, { sensor: { use_data_storage: false } });
    await run(sensorId, serviceId, 'SetExpression', `_${sensorId}_input`);
    await upload(sensorId, 1);
    await platform.settle();
    assert.deepEqual(await valuesOf(user, serviceId), []);
  });
});

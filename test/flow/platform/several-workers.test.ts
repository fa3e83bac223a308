import assert from 'node:assert/strict';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { ALL_WORK } from '../../support/platform';

describe('several simultaneous workers', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);

  const alarm = (expression: string) =>
    buildAlarm(user, { trigger: { expression }, notifications: [{ type: 'url', destination: receiver.url }] });
  const stateOf = async ({ sensorId, triggerId }: Alarm) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  const points = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: from + index, date: 1_700_000_000 + from + index }));

  it('fire once a minute and keep the order of points when many passes of a partition run simultaneously', async () => {
    const one = await alarm('sensor_data_value >= 0');
    const partition = Number(one.sensorId) % platform.container.config.partitions;
    for (let round = 0; round < 10; round += 1) {
      const upload = user.api.post(`/sensors/${one.sensorId}/data`, { data: points(round * 20, 20) });
      const passes = Array.from({ length: 4 }, () => handleEvaluation({ partition }, platform.container));
      await Promise.all([upload, ...passes]);
    }
    await platform.settle();
    const state = await stateOf(one);
    assert.equal(state.times_triggered, 1);
    assert.equal(state.last_sensor_data_value, '199');
    const { firings } = (await user.api.get(`/sensors/${one.sensorId}/triggers/${one.triggerId}/firings`)).body;
    assert.equal(firings.length, 1);
    assert.equal(receiver.received.filter(({ form }) => form.sensor_id === one.sensorId).length, 1);
  });

  it('deliver within seconds through the queues', async () => {
    const alarms: Alarm[] = [];
    for (let index = 0; index < 5; index += 1) alarms.push(await alarm('sensor_data_value > 10'));
    receiver.received.length = 0;
    await platform.startWorkers(ALL_WORK, 2);
    await Promise.all(
      alarms.map(({ sensorId }) => user.api.post(`/sensors/${sensorId}/data`, { data: points(0, 50) })),
    );
    await receiver.waitFor(5);
    await platform.stopWorkers();
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.sensor_id).sort(),
      alarms.map(({ sensorId }) => sensorId).sort(),
    );
  });

  it('lose nothing when Redis is emptied between the commit and the pass', async () => {
    const one = await alarm('sensor_data_value > 10');
    receiver.received.length = 0;
    await upload(user, one.sensorId, points(0, 50));
    const keys = await platform.container.redis.keys(`{${platform.container.config.redisPrefix}}*`);
    assert.ok(keys.length > 0);
    await platform.container.redis.del(...keys);
    await platform.startWorkers(ALL_WORK);
    await receiver.waitFor(1);
    await platform.stopWorkers();
    const rows = await platform.query('SELECT COUNT(*) AS waiting FROM inbox_batches');
    assert.equal(rows[0]?.waiting, 0);
    assert.equal((await stateOf(one)).last_sensor_data_value, '49');
  });
});

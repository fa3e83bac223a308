import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildTrigger, connectTrigger } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { startApiElsewhere, startWorkerElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';

const SENSORS = 24;
const LOAD_MS = 4_000;
const MORE = { SENSOR_PARTITIONS: '20', LOG_LEVEL: 'error' };

describe('more partitions while everything runs', () => {
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '3' } });
  const receiver = useReceiver();
  const user = useUser(platform);
  const children: ChildProcess[] = [];

  after(async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });

  const stateOf = async ({ sensorId, triggerId }: Alarm) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;

  it('lose and double nothing between processes of the former and the new number', async () => {
    const notifications = [{ type: 'url', destination: receiver.url }];
    const lost = { expression: 'sensor_data_value != last_sensor_data_value + 1' };
    const inactive = await buildTrigger(user, { inactivity: 60 });
    const alarms: Alarm[] = [];
    for (let index = 0; index < SENSORS; index += 1) {
      const alarm = await buildAlarm(user, { trigger: lost, notifications });
      await connectTrigger(user, alarm.sensorId, inactive);
      alarms.push(alarm);
    }
    await platform.startWorkers(ALL_WORK, 2);
    const redisUrl = platform.container.config.redisUrl;

    // Each client waits for each response, and sends to both kinds of API processes alternately.
    const apis = [user.api];
    let endMs = Number.POSITIVE_INFINITY;
    const sent = new Map<string, number>();
    const load = alarms.map(async ({ sensorId }) => {
      for (let value = 1; Date.now() < endMs; value += 1) {
        const date = 1_700_000_000 + value;
        const api = apis[value % apis.length] ?? user.api;
        const { status } = await api.post(`/sensors/${sensorId}/data`, { data: [{ value, date }] });
        assert.equal(status, 201);
        sent.set(sensorId, value);
      }
    });
    children.push(await startWorkerElsewhere(platform, redisUrl, MORE));
    const other = await startApiElsewhere(platform, redisUrl, MORE);
    children.push(other.child);
    await until('the other API process answers', () =>
      fetch(`${other.url}/health/live`).then(
        () => true,
        () => false,
      ),
    );
    apis.push(apiClient(other.url, { 'X-SESSION_ID': user.session }));
    endMs = Date.now() + LOAD_MS;
    await Promise.all(load);

    await until('nothing waits', async () => (await platform.query('SELECT id FROM inbox_batches')).length === 0);
    assert.equal(platform.container.layout.count, 20);
    for (const alarm of alarms) {
      const { last_sensor_data_value, times_triggered } = await stateOf(alarm);
      assert.deepEqual(
        [Number(last_sensor_data_value), times_triggered],
        [sent.get(alarm.sensorId), 0],
        alarm.sensorId,
      );
    }
    const rows = await platform.query('SELECT reason FROM firings');
    assert.deepEqual(rows, []);
    const points = [...sent.values()].reduce((sum, count) => sum + count, 0);
    console.log(`      ${points} points of ${SENSORS} sensors`);
  });
});

import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const HOUR = 3_600;

describe('points that are dated more than an hour ahead', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const now = () => clock.now() / 1000;

  const post = async (path: string, body: unknown, headers?: Record<string, string>) => {
    const { status, body: answer } = await user.api.post(path, body, headers);
    assert.equal(status, 201, JSON.stringify(answer));
    await platform.settle();
    return answer;
  };

  it('are counted in the answer of every kind of upload, and others are not', async () => {
    const [id, other] = [await buildSensor(user), await buildSensor(user)];
    const ahead = { value: 1, date: now() + HOUR + 0.001 };
    const fine = { value: 2, date: now() + HOUR };
    const path = `/sensors/${id}/data`;
    assert.deepEqual(await post(path, { data: [ahead, fine] }), { data: { accepted: 2, not_evaluated: 1 } });
    assert.deepEqual(await post(path, fine), { data: { accepted: 1 } });
    assert.deepEqual(await post(path, { data: [fine, { value: 3 }] }), { data: { accepted: 2 } });
    const sensors = [id, other].map((sensor_id) => ({ sensor_id, data: [ahead, fine] }));
    assert.deepEqual(await post('/sensors/data', { sensors }), { data: { accepted: 4, not_evaluated: 2 } });
    const csv = `date,value\n${ahead.date},1\n${ahead.date + 1},2\n`;
    assert.deepEqual(await post(path, csv, { 'Content-Type': 'text/csv' }), {
      data: { accepted: 2, not_evaluated: 2 },
    });
  });

  it('are an error of the triggers of the sensor until a point is evaluated', async () => {
    const trigger = { expression: 'sensor_data_value > 30', inactivity: 7 * 24 * HOUR };
    const { sensorId, triggerId } = await buildAlarm(user, { trigger, notifications: [] });
    const watching = await buildAlarm(user, { trigger: { inactivity: 7 * 24 * HOUR }, notifications: [] });
    const record = async ({ sensorId: sensor, triggerId: id } = { sensorId, triggerId }) =>
      (await user.api.get(`/sensors/${sensor}/triggers/${id}`)).body.trigger;
    const send = (value: number, date: number) => post(`/sensors/${sensorId}/data`, { value, date });
    for (let times = 0; times < 2; times += 1) {
      await send(40 + times, now() + 2 * HOUR + times);
      const { last_error, state, last_sensor_data_value } = await record();
      assert.match(last_error, /more than an hour ahead/);
      assert.deepEqual([state, last_sensor_data_value], ['ok', '']);
    }
    await send(20, now());
    assert.deepEqual([(await record()).last_error, (await record()).last_sensor_data_value], ['', '20']);
    await send(40, now() + 1);
    assert.deepEqual([(await record()).state, (await record()).times_triggered], ['firing', 1]);
    await post(`/sensors/${watching.sensorId}/data`, { value: 1, date: now() + 2 * HOUR });
    assert.equal((await record(watching)).last_error, '');
  });
});

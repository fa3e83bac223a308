import assert from 'node:assert/strict';
import { ServerClock } from '../../src/platform/clock';
import { buildAlarm } from '../support/alarm';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';

const HOUR_MS = 3_600_000;

describe('a machine whose clock is an hour ahead', () => {
  const platform = usePlatform({ clock: new ServerClock(() => Date.now() + HOUR_MS) });
  const user = useUser(platform);
  const receiver = useReceiver();

  it('records no outage, and accepts no data in the future', async () => {
    await platform.container.heartbeat.beat();
    await platform.container.heartbeat.beat();
    assert.deepEqual(await platform.query('SELECT * FROM outages'), []);
    const [row] = await platform.query('SELECT accepting_until_ms AS until FROM heartbeats');
    assert.ok(Math.abs(row?.until - Date.now()) < 60_000);
    const id = await buildSensor(user);
    await upload(user, id, { value: 1 });
    const [point] = await platform.query('SELECT date_ms AS dateMs, delay_s FROM data_points WHERE sensor_id = ?', [
      id,
    ]);
    assert.ok(Math.abs(point?.dateMs - Date.now()) < 60_000);
    assert.equal(point?.delay_s, 0);
  });

  it('fires and delivers as always, at whole milliseconds', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ destination: receiver.url }],
    });
    await upload(user, sensorId, { value: 1 });
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    const { body } = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    assert.equal(body.trigger.times_triggered, 1);
  });

  it('follows the time of MySQL when its clock is set right again', () => {
    let machineMs = 5_000_000;
    const clock = new ServerClock(() => machineMs);
    assert.equal(clock.synchronize(5_000_000 - HOUR_MS), HOUR_MS);
    assert.equal(clock.now(), 5_000_000 - HOUR_MS);
    machineMs -= HOUR_MS;
    assert.equal(clock.synchronize(machineMs + 100), -100);
    assert.equal(clock.now(), machineMs, 'a small difference is left alone');
  });

  it('is always at a whole millisecond, and is left alone by a measurement that took too long to prove it wrong', () => {
    const clock = new ServerClock(() => 5_000_000);
    clock.synchronize(5_000_000 - HOUR_MS + 0.4);
    const now = clock.now();
    assert.equal(now, 5_000_000 - HOUR_MS);
    assert.equal(clock.synchronize(now + 2_000.5, 2_001), HOUR_MS - 2_000);
    assert.equal(clock.now(), now);
    clock.synchronize(now + 3_000, 2_001);
    assert.equal(clock.now(), now + 3_000);
  });

  it('shows the difference in its metrics', async () => {
    const text = await (await fetch(`${platform.url}/metrics`)).text();
    const ahead = Number(/^clock_ahead_seconds (\S+)$/m.exec(text)?.[1]);
    assert.ok(Math.abs(ahead - 3_600) < 60, String(ahead));
  });
});

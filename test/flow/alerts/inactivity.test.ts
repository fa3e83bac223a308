import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('inactivity', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  const watchFor = (seconds: number) =>
    buildAlarm(user, { trigger: { inactivity: seconds }, notifications: [{ destination: receiver.url }] });
  /** Time passes while the platform accepts data. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(Math.min(left, 1_000));
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const countOf = (sensorId: string) => receiver.received.filter(({ form }) => form.sensor_id === sensorId).length;

  it('fires exactly after its duration, and again after each further period', async () => {
    const { sensorId } = await watchFor(60);
    await pass(59_999);
    assert.equal(countOf(sensorId), 0);
    await pass(1);
    assert.equal(countOf(sensorId), 1);
    await pass(59_999);
    assert.equal(countOf(sensorId), 1);
    await pass(1);
    assert.equal(countOf(sensorId), 2);
  });

  it('is counted from the last arrival', async () => {
    const { sensorId } = await watchFor(60);
    await pass(50_000);
    await upload(user, sensorId, { value: 1 });
    await pass(59_000);
    assert.equal(countOf(sensorId), 0);
    await pass(1_000);
    assert.equal(countOf(sensorId), 1);
  });

  it('ends with a point that still waits in the inbox', async () => {
    const { sensorId } = await watchFor(60);
    clock.advance(50_000);
    await platform.container.heartbeat.beat();
    await upload(user, sensorId, { value: 1 });
    // Not settled: the point waits while the due time passes.
    for (let second = 0; second < 15; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    assert.equal(countOf(sensorId), 0);
  });

  it('does not include time in which the platform was down', async () => {
    const { sensorId } = await watchFor(60);
    await pass(30_000);
    clock.advance(3_600_000);
    await platform.container.heartbeat.beat();
    await platform.settle();
    assert.equal(countOf(sensorId), 0);
    await pass(29_000);
    assert.equal(countOf(sensorId), 0);
    await pass(2_000);
    assert.equal(countOf(sensorId), 1);
  });

  it('is not watched while the sensor trigger is switched off, and is counted from its activation', async () => {
    const { sensorId, triggerId } = await watchFor(60);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: 0 });
    await pass(200_000);
    assert.equal(countOf(sensorId), 0);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active?active=1`);
    await pass(59_000);
    assert.equal(countOf(sensorId), 0);
    await pass(1_000);
    assert.equal(countOf(sensorId), 1);
  });

  it('is counted from the latest arrival, even of an older date', async () => {
    const id = await buildSensor(user);
    const now = Math.floor(clock.now() / 1000);
    await upload(user, id, { value: 1, date: now });
    await pass(50_000);
    await upload(user, id, { value: 1, date: now - 3_600 });
    const triggerId = await buildTrigger(user, { inactivity: 60 });
    await connectTrigger(user, id, triggerId);
    const fired = async () => (await user.api.get(`/sensors/${id}/triggers/${triggerId}/firings`)).body.firings.length;
    await pass(59_000);
    assert.equal(await fired(), 0);
    await pass(1_000);
    assert.equal(await fired(), 1);
  });
});

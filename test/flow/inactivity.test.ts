import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';

describe('inactivity', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;
  let clock: FakeClock;

  before(async () => {
    clock = fakeClock();
    platform = await startPlatform({ clock });
    receiver = await startReceiver();
    user = await platform.user();
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });

  const silent = (seconds: number) =>
    buildAlarm(user, {
      trigger: { inactivity: seconds },
      notifications: [{ type: 'url', destination: receiver.url, text: 'silent' }],
    });
  /** Time passes, with the platform accepting data all the while. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(Math.min(left, 1_000));
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const countOf = (sensorId: string) => receiver.received.filter(({ form }) => form.sensor_id === sensorId).length;

  it('fires after the inactivity, not a millisecond before, and again after each further period', async () => {
    const { sensorId } = await silent(60);
    await pass(59_999);
    assert.equal(countOf(sensorId), 0);
    await pass(1);
    assert.equal(countOf(sensorId), 1);
    await pass(59_999);
    assert.equal(countOf(sensorId), 1);
    await pass(1);
    assert.equal(countOf(sensorId), 2);
  });

  it('counts anew from the last arrival', async () => {
    const { sensorId } = await silent(60);
    await pass(50_000);
    await user.api.post(`/sensors/${sensorId}/data`, { value: 1 });
    await pass(59_000);
    assert.equal(countOf(sensorId), 0);
    await pass(1_000);
    assert.equal(countOf(sensorId), 1);
  });

  it('takes a point that waits in the inbox for an arrival', async () => {
    const { sensorId } = await silent(60);
    clock.advance(50_000);
    await platform.container.heartbeat.beat();
    await user.api.post(`/sensors/${sensorId}/data`, { value: 1 });
    // Not settled: the point waits while the due time passes.
    for (let second = 0; second < 15; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    assert.equal(countOf(sensorId), 0);
  });

  it('does not count time in which the platform was away', async () => {
    const { sensorId } = await silent(60);
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

  it('is silent while the sensor trigger is inactive, and counts from its activation', async () => {
    const { sensorId, triggerId } = await silent(60);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: 0 });
    await pass(200_000);
    assert.equal(countOf(sensorId), 0);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active?active=1`);
    await pass(59_000);
    assert.equal(countOf(sensorId), 0);
    await pass(1_000);
    assert.equal(countOf(sensorId), 1);
  });

  it('counts from the latest arrival, be it of an older date than another', async () => {
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'late reports' } })).body.sensor;
    const now = Math.floor(clock.now() / 1000);
    await user.api.post(`/sensors/${id}/data`, { value: 1, date: now });
    await pass(50_000);
    await user.api.post(`/sensors/${id}/data`, { value: 1, date: now - 3_600 });
    const trigger = (await user.api.post('/triggers', { trigger: { name: 'quiet', inactivity: 60 } })).body.trigger;
    await user.api.post(`/sensors/${id}/triggers`, { triggers: [{ trigger: { id: trigger.id } }] });
    const fired = async () => (await user.api.get(`/sensors/${id}/triggers/${trigger.id}/firings`)).body.firings.length;
    await pass(59_000);
    assert.equal(await fired(), 0);
    await pass(1_000);
    assert.equal(await fired(), 1);
  });
});

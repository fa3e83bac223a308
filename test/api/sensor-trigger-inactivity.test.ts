import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('triggers on sensors, when it comes to inactivity,', () => {
  let platform: Platform;
  let user: TestUser;
  let clock: FakeClock;

  before(async () => {
    clock = fakeClock();
    platform = await startPlatform({ clock });
    user = await platform.user();
  });
  after(() => platform.close());

  const alarm = (trigger: Record<string, unknown> = { expression: 'sensor_data_value > 30' }) =>
    buildAlarm(user, { trigger, notifications: [] });
  const dueAt = async (sensorId: string) => {
    const rows = await platform.query('SELECT due_at_ms FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
    return (rows as { due_at_ms: number | null }[])[0]?.due_at_ms; // a SELECT answers rows
  };

  it('watch for inactivity from the newest data point, else from now, and not while inactive', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    assert.equal(await dueAt(sensorId), clock.now() + 60_000);
    const path = `/sensors/${sensorId}/triggers/${triggerId}/active`;
    await user.api.post(path, { active: 0 });
    assert.equal(await dueAt(sensorId), null);
    await user.api.post(`/sensors/${sensorId}/data`, { value: 1 });
    const arrived = clock.now();
    clock.advance(20_000);
    await user.api.post(path, { active: 1 });
    assert.equal(await dueAt(sensorId), arrived + 60_000);
    clock.advance(1_000);
    await user.api.post(path, { active: 1 });
    assert.equal(await dueAt(sensorId), arrived + 60_000);
  });

  it('follow a change of the time of inactivity, also where only an expression was evaluated', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    const connected = clock.now();
    clock.advance(10_000);
    await user.api.put(`/triggers/${triggerId}`, { trigger: { inactivity: 300 } });
    assert.equal(await dueAt(sensorId), connected + 300_000);
    const plain = await alarm();
    assert.equal(await dueAt(plain.sensorId), null);
    await user.api.put(`/triggers/${plain.triggerId}`, { trigger: { inactivity: 60 } });
    assert.equal(await dueAt(plain.sensorId), clock.now() + 60_000);
  });

  it('watch for inactivity no more once the trigger has no time of inactivity', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    const change = (trigger: object) => user.api.put(`/triggers/${triggerId}`, { trigger });
    assert.equal((await change({ expression: 'sensor_data_value > 5', inactivity: 0 })).body.trigger.inactivity, 60);
    assert.equal((await change({ inactivity: 0 })).body.trigger.inactivity, null);
    assert.equal(await dueAt(sensorId), null);
    clock.advance(120_000);
    await platform.settle();
    await user.api.post(`/sensors/${sensorId}/data`, { value: 6 });
    await platform.settle();
    const { firings } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body;
    assert.deepEqual(
      firings.map(({ reason }: { reason: string }) => reason),
      ['expression'],
    );
  });
});

import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

describe('inactivity of triggers on sensors', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  const alarm = (trigger: Record<string, unknown> = { expression: 'sensor_data_value > 30' }) =>
    buildAlarm(user, { trigger, notifications: [] });
  const dueAt = async (sensorId: string) => {
    const [row] = await platform.query('SELECT due_at_ms FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
    return row?.due_at_ms;
  };

  it('is counted from the newest data point, else from the connection, and not while the trigger is switched off', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    assert.equal(await dueAt(sensorId), clock.now() + 60_000);
    const path = `/sensors/${sensorId}/triggers/${triggerId}/active`;
    await user.api.post(path, { active: 0 });
    assert.equal(await dueAt(sensorId), null);
    await upload(user, sensorId, { value: 1 });
    const arrived = clock.now();
    clock.advance(20_000);
    await user.api.post(path, { active: 1 });
    assert.equal(await dueAt(sensorId), arrived + 60_000);
    clock.advance(1_000);
    await user.api.post(path, { active: 1 });
    assert.equal(await dueAt(sensorId), arrived + 60_000);
  });

  it('is counted from the latest arrival to the second, whatever the dates, and never from later than now', async () => {
    const arrival = clock.now();
    const dates: [dateMs: number, sinceMs: number][] = [
      [0, Math.ceil(arrival / 1000) * 1000],
      [arrival - 86_399_500, arrival + 500],
      [arrival - 1_000, arrival],
      [arrival + 3_600_000, arrival],
      [arrival + 1_800_250, arrival + 250],
    ];
    const sensorIds = await Promise.all(
      dates.map(async ([dateMs]) => {
        const { sensorId, triggerId } = await alarm({ inactivity: 60 });
        await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: 0 });
        await upload(user, sensorId, { value: 1, date: dateMs / 1000 });
        return { path: `/sensors/${sensorId}/triggers/${triggerId}/active`, sensorId };
      }),
    );
    for (const { path } of sensorIds) await user.api.post(path, { active: 1 });
    for (const { sensorId } of sensorIds) assert.equal(await dueAt(sensorId), arrival + 60_000, 'now');
    for (const { path } of sensorIds) await user.api.post(path, { active: 0 });
    clock.advance(20_000);
    for (const { path } of sensorIds) await user.api.post(path, { active: 1 });
    for (const [index, { sensorId }] of sensorIds.entries())
      assert.equal(await dueAt(sensorId), Number(dates[index]?.[1]) + 60_000, String(dates[index]));
  });

  it('is counted from now when it is not known when the point arrived', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    const path = `/sensors/${sensorId}/triggers/${triggerId}/active`;
    await user.api.post(path, { active: 0 });
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES (?, ?, ?, ?)', [
      ...[sensorId, clock.now() - 90_000, '1', 2_147_483_647],
    ]);
    await user.api.post(path, { active: 1 });
    assert.equal(await dueAt(sensorId), clock.now() + 60_000);
  });

  it('follows a change of its duration, even when only an expression was evaluated before', async () => {
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

  it('is no longer watched when the trigger has no duration of inactivity', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60 });
    const change = (trigger: object) => user.api.put(`/triggers/${triggerId}`, { trigger });
    assert.equal((await change({ expression: 'sensor_data_value > 5', inactivity: 0 })).body.trigger.inactivity, 60);
    assert.equal((await change({ inactivity: 0 })).body.trigger.inactivity, null);
    assert.equal(await dueAt(sensorId), null);
    clock.advance(120_000);
    await platform.settle();
    await upload(user, sensorId, { value: 6 });
    await platform.settle();
    const { firings } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body;
    assert.deepEqual(
      firings.map(({ reason }: { reason: string }) => reason),
      ['expression'],
    );
  });

  it('is all that is watched once the expression is taken away, whose episode ends', async () => {
    const { sensorId, triggerId } = await alarm({ inactivity: 60, expression: 'sensor_data_value > 5', repeat: 0 });
    await upload(user, sensorId, { value: 6 });
    await platform.settle();
    const read = async () => (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body.firings;
    const { body } = await user.api.put(`/triggers/${triggerId}`, { trigger: { expression: null, inactivity: 60 } });
    assert.equal(body.trigger.expression, null);
    const [fired] = await read();
    assert.deepEqual([fired.reason, fired.resolved_by], ['expression', 'edit']);
    clock.advance(10_000);
    await upload(user, sensorId, { value: 7 });
    await platform.settle();
    for (let second = 0; second <= 60; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    const firings = await read();
    assert.deepEqual(
      firings.map(({ reason }: { reason: string }) => reason),
      ['expression', 'inactivity'],
    );
  });
});

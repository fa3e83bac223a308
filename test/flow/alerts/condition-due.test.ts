import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('conditions of triggers by the clock', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  const alert = async (trigger: Fields = {}) => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { name: 'door' },
      trigger: { name: 'open', expression: 'sensor_data_value > 30', notify_resolved: true, ...trigger },
      notifications: [{ destination: receiver.url, text: '{{sensor_data_value}} degrees' }],
    });
    receiver.received.length = 0;
    return { sensorId, triggerId, path: `/sensors/${sensorId}/triggers/${triggerId}` };
  };
  type Alert = Awaited<ReturnType<typeof alert>>;
  const send = async ({ sensorId }: Alert, value: number) => {
    await platform.container.heartbeat.beat();
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  /** Time passes while the platform accepts data. */
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const texts = () => receiver.received.map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const record = async ({ path }: Alert) => (await user.api.get(path)).body.trigger;
  const reasons = async ({ path }: Alert) =>
    (await user.api.get(`${path}/decisions`)).body.decisions.map(({ reason }: { reason: string }) => reason);
  const inSeconds = (seconds: number) => clock.now() / 1000 + seconds;

  it('fire when the hold is over, although no other point comes, and never before', async () => {
    const one = await alert({ hold: 120 });
    await send(one, 31);
    assert.deepEqual((await record(one)).next, { what: 'hold', at: inSeconds(120) });
    await pass(119);
    assert.deepEqual([texts(), (await record(one)).state], [[], 'pending']);
    await pass(1);
    assert.deepEqual(texts(), ['31 degrees']);
    assert.deepEqual([(await record(one)).state, (await record(one)).next], ['firing', null]);
    await pass(300);
    assert.equal(receiver.received.length, 1);
    await send(one, 20);
    assert.deepEqual(texts()[1], 'open on door: resolved (resolved)');
    assert.deepEqual(await reasons(one), ['resolved', 'fired', 'pending']);
  });

  it('do not fire once a point has said otherwise', async () => {
    const one = await alert({ hold: 60 });
    await send(one, 31);
    await pass(59);
    await send(one, 20);
    assert.equal((await record(one)).next, null);
    await pass(120);
    assert.deepEqual(texts(), []);
  });

  it('fire although the pass that finds the next point comes late', async () => {
    const one = await alert({ hold: 60 });
    await send(one, 31);
    for (const value of [31, 20]) {
      clock.advance(70_000);
      await platform.container.heartbeat.beat();
      await upload(user, one.sensorId, { value, date: clock.now() / 1000 });
    }
    await platform.settle();
    assert.deepEqual(texts(), ['31 degrees', 'open on door: resolved (resolved)']);
  });

  it('count from the arrival of a point whose date is not current', async () => {
    const one = await alert({ hold: 60 });
    await upload(user, one.sensorId, { value: 31, date: inSeconds(-3_600) });
    await platform.settle();
    await pass(59);
    assert.deepEqual(texts(), []);
    await pass(1);
    assert.deepEqual(texts(), ['31 degrees']);
  });

  it('fire a second alarm when the minute is over', async () => {
    const one = await alert();
    await send(one, 31);
    await pass(10);
    await send(one, 20);
    await pass(10);
    await send(one, 32);
    assert.deepEqual((await record(one)).next, { what: 'minute', at: inSeconds(40) });
    await pass(39);
    assert.equal(receiver.received.length, 2);
    await pass(1);
    assert.deepEqual(texts(), ['31 degrees', 'open on door: resolved (resolved)', '32 degrees']);
    await pass(120);
    assert.equal((await record(one)).times_triggered, 2);
  });

  it('wait for the minute after an inactivity of the same trigger', async () => {
    const one = await alert({ hold: 100, inactivity: 60, repeat: 0 });
    await send(one, 31);
    await pass(60);
    assert.equal(receiver.received.length, 1, 'the inactivity');
    await pass(59);
    assert.equal(receiver.received.length, 1);
    assert.deepEqual((await record(one)).next, { what: 'minute', at: inSeconds(1) });
    await pass(1);
    assert.deepEqual(texts()[1], '31 degrees');
    assert.equal((await record(one)).times_triggered, 2);
    await user.api.delete(`/triggers/${one.triggerId}`);
    await platform.settle();
  });

  it('end an episode only when they have been over for so long', async () => {
    const one = await alert({ keep_firing_for: 100, repeat: 0 });
    await send(one, 31);
    await pass(10);
    await send(one, 20);
    assert.deepEqual(
      [(await record(one)).state, (await record(one)).next],
      ['firing', { what: 'keep_firing_for', at: inSeconds(100) }],
    );
    await pass(99);
    await send(one, 35);
    assert.deepEqual((await reasons(one)).slice(0, 2), ['held-back', 'keeps-firing']);
    await pass(1);
    await send(one, 20);
    await pass(99);
    assert.deepEqual(texts(), ['31 degrees']);
    await pass(1);
    assert.deepEqual(texts(), ['31 degrees', 'open on door: resolved (resolved)']);
    const [firing] = (await user.api.get(`/firings?trigger_id=${one.triggerId}`)).body.firings;
    assert.deepEqual([firing.ended, firing.resolved_by], [clock.now() / 1000, 'data']);
    assert.equal((await record(one)).next, null);
  });

  it('end by another expression', async () => {
    const one = await alert({ resolve_expression: 'sensor_data_value < 25' });
    for (const value of [31, 29, 26, 24, 29]) {
      await send(one, value);
      await pass(10);
    }
    assert.deepEqual(texts(), ['31 degrees', 'open on door: resolved (resolved)']);
    assert.deepEqual(await reasons(one), ['false', 'resolved', 'keeps-firing', 'keeps-firing', 'fired']);
  });

  it('follow a change of keep_firing_for, and end with the trigger switched off', async () => {
    const one = await alert({ keep_firing_for: 100, repeat: 0 });
    await send(one, 31);
    await pass(10);
    await send(one, 20);
    await user.api.put(`/triggers/${one.triggerId}`, { trigger: { keep_firing_for: 20 } });
    assert.deepEqual((await record(one)).next, { what: 'keep_firing_for', at: inSeconds(20) });
    await pass(19);
    assert.equal((await record(one)).state, 'firing');
    await pass(1);
    assert.equal((await record(one)).state, 'ok');
    await pass(60);
    await send(one, 31);
    await pass(1);
    await send(one, 20);
    await user.api.post(`${one.path}/active`, { active: 0 });
    await pass(100);
    assert.deepEqual([(await record(one)).state, (await record(one)).next], ['ok', null]);
  });

  it('are decided once by two workers at the same time', async () => {
    const one = await alert({ hold: 10 });
    await send(one, 31);
    clock.advance(10_000);
    await platform.container.heartbeat.beat();
    await Promise.all([platform.settle(), platform.settle(), platform.settle()]);
    assert.deepEqual(texts(), ['31 degrees']);
    assert.equal((await record(one)).times_triggered, 1);
  });
});

import assert from 'node:assert/strict';
import { type Alarm, buildAlarm } from './alarm';
import { type Fields, upload } from './factories';
import { fakeClock } from './fake-clock';
import { usePlatform, useReceiver, useUser } from './hooks';

export const WARM = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true };

/** A platform whose clock moves by `pass` and `send` alone, with a user and a receiver. */
export function useClockedAlerts() {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  /** A trigger on a sensor, with a notification to the receiver. */
  const alert = (trigger: Fields = {}) =>
    buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { ...WARM, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value degrees' }],
    });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const send = async ({ sensorId }: Pick<Alarm, 'sensorId'>, values: number[], everyS = 10) => {
    for (const value of values) {
      await pass(everyS);
      await upload(user, sensorId, { value, date: clock.now() / 1000 });
      await platform.settle();
    }
  };
  /** Time passes, and each of them gets the value. */
  const sendAll = async (alarms: readonly Alarm[], value: number, everyS: number) => {
    await pass(everyS);
    for (const { sensorId } of alarms) await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  /** What the receiver got, about this sensor only if one is given. */
  const texts = (of?: Pick<Alarm, 'sensorId'>) =>
    receiver.received
      .filter(({ form }) => of === undefined || form.sensor_id === of.sensorId)
      .map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const firings = async ({ triggerId }: Pick<Alarm, 'triggerId'>) =>
    (await user.api.get(`/firings?trigger_id=${triggerId}`)).body.firings;
  const record = async ({ sensorId, triggerId }: Alarm) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  return { clock, platform, receiver, user, alert, pass, send, sendAll, texts, firings, record };
}

type ClockedAlerts = ReturnType<typeof useClockedAlerts>;

/** The requests about shadows. They settle, and fail unless they succeed. */
export function shadowRequests({ user, platform }: Pick<ClockedAlerts, 'user' | 'platform'>) {
  const begin = async ({ triggerId }: Pick<Alarm, 'triggerId'>, shadow: Fields) => {
    const { status, body } = await user.api.post(`/triggers/${triggerId}/shadow`, { shadow });
    assert.equal(status, 201, JSON.stringify(body));
    await platform.settle();
    return body.shadow;
  };
  const report = async ({ triggerId }: Pick<Alarm, 'triggerId'>) => {
    const { status, body } = await user.api.get(`/triggers/${triggerId}/shadow`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.shadow;
  };
  const switchTo = async ({ triggerId }: Pick<Alarm, 'triggerId'>) => {
    const { status, body } = await user.api.post(`/triggers/${triggerId}/shadow/switch`, {});
    assert.equal(status, 200, JSON.stringify(body));
    await platform.settle();
    return body;
  };
  return { begin, report, switchTo };
}

import { buildNotification, buildSensor, buildTrigger, connectNotification, connectTrigger, upload } from './factories';
import { fakeClock } from './fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from './hooks';

/** An alarm with notifications that take part after some time. */
export interface Escalating {
  sensorId: string;
  triggerId: string;
  path: string;
  /** Ids of the notifications, in the order of their steps. */
  ids: string[];
}

/** A platform with a user and a receiver, and the alarms of the tests about escalations. */
export function useEscalations() {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  /** An alarm whose notifications, to `/0`, `/60` and so on, take part after these seconds. */
  const build = async (steps: number[], trigger: Record<string, unknown> = {}): Promise<Escalating> => {
    const sensorId = await buildSensor(user, { name: 'cellar' });
    const rule = { name: 'warm', expression: 'sensor_data_value > 30', repeat: 0, notify_resolved: true };
    const triggerId = await buildTrigger(user, { ...rule, ...trigger });
    await connectTrigger(user, sensorId, triggerId);
    const ids: string[] = [];
    for (const after of steps) {
      const destination = `${receiver.url}/${after}`;
      const id = await buildNotification(user, { destination, text: '$sensor_data_value degrees' });
      await connectNotification(user, sensorId, triggerId, id, after);
      ids.push(id);
    }
    return { sensorId, triggerId, path: `/sensors/${sensorId}/triggers/${triggerId}`, ids };
  };
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await platform.container.heartbeat.beat();
    await platform.settle();
  };
  const send = async ({ sensorId }: Escalating, value: number, afterS = 1) => {
    clock.advance(afterS * 1000);
    await platform.container.heartbeat.beat();
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  const got = () => receiver.received.map(({ path, form }) => `${path} ${form.state ?? form.text}`);
  const firingOf = async ({ triggerId }: Escalating) =>
    (await user.api.get(`/firings?trigger_id=${triggerId}&sort=desc`)).body.firings[0].id;
  const waiting = async () =>
    (await platform.query("SELECT id FROM deliveries WHERE status = 'pending' AND owner_id = ?", [user.id])).map(
      ({ id }) => Number(id),
    );
  const acknowledge = async (one: Escalating) =>
    (await user.api.post(`/firings/${await firingOf(one)}/acknowledge`)).status;
  return { clock, platform, receiver, user, build, pass, send, got, firingOf, waiting, acknowledge };
}

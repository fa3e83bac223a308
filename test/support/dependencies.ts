import assert from 'node:assert/strict';
import { buildNotification, buildSensor, buildTrigger, connectNotification, connectTrigger, upload } from './factories';
import { fakeClock } from './fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from './hooks';

type Fields = Record<string, unknown>;

export interface Plant {
  gateway: string;
  sensors: string[];
  parentId: string;
  childId: string;
}

/** A platform with gateways whose alerts hold those of the sensors behind them. */
export function useDependencies() {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const seen = new Map<string, number>();
  const forget = () => {
    seen.clear();
    receiver.received.length = 0;
  };
  const label = async (sensorId: string, ...values: string[]) => {
    const metatags = values.length === 0 ? {} : { gateway: values };
    assert.equal((await user.api.put(`/sensors/${sensorId}/metatags`, { metatags })).status, 200);
  };
  const notify = async (sensorIds: readonly string[], triggerId: string, path: string, after?: number) => {
    const id = await buildNotification(user, { destination: `${receiver.url}/${path}`, text: '$sensor_name' });
    for (const sensorId of sensorIds) await connectNotification(user, sensorId, triggerId, id, after);
  };

  /** A gateway and sensors, all with one label; both rules are true above 30. Deliveries go to `/parent` and `/child`. */
  const build = async ({ sensors = 1, child = {}, parent = {}, dependsOn = {} }: Building = {}): Promise<Plant> => {
    forget();
    const rule = { expression: 'sensor_data_value > 30', repeat: 0, notify_resolved: true };
    const gateway = await buildSensor(user, { name: 'gateway' });
    const parentId = await buildTrigger(user, { name: 'gateway offline', ...rule, ...parent });
    await connectTrigger(user, gateway, parentId);
    await notify([gateway], parentId, 'parent');
    await label(gateway, '7');
    const dependency = { trigger_id: parentId, sensor: { label: 'gateway' }, ...dependsOn };
    const childId = await buildTrigger(user, { name: 'warm', ...rule, depends_on: dependency, ...child });
    const ids: string[] = [];
    for (let index = 0; index < sensors; index += 1) {
      const id = await buildSensor(user, { name: `s${index}` });
      await label(id, '7');
      await connectTrigger(user, id, childId);
      ids.push(id);
    }
    await notify(ids, childId, 'child');
    return { gateway, sensors: ids, parentId, childId };
  };
  /** Lets time pass, in which uploads were possible. */
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await platform.container.heartbeat.beat();
    await platform.settle();
  };
  const send = async (value: number, ...sensorIds: string[]) => {
    clock.advance(1_000);
    await platform.container.heartbeat.beat();
    for (const id of sensorIds) await upload(user, id, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  /** What arrived at this path, since the last call. */
  const got = (path: string) => {
    const all = receiver.received.filter((one) => one.path === `/${path}`);
    const from = seen.get(path) ?? 0;
    seen.set(path, all.length);
    return all.slice(from).map(({ form }) => String(form.state ?? form.text));
  };
  beforeEach(forget);
  const firingOf = async (sensorId: string) =>
    (await user.api.get(`/firings?sensor_id=${sensorId}&sort=desc`)).body.firings[0];
  const put = async (triggerId: string, trigger: Fields) => {
    const { status, body } = await user.api.put(`/triggers/${triggerId}`, { trigger });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const waiting = async () =>
    (await platform.query("SELECT id FROM deliveries WHERE status = 'pending' AND owner_id = ?", [user.id])).length;
  return { clock, platform, user, build, label, notify, pass, send, got, firingOf, put, waiting };
}

interface Building {
  sensors?: number;
  child?: Fields;
  parent?: Fields;
  dependsOn?: Fields;
}

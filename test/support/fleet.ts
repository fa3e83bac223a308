import { buildNotification, buildSensor, buildTrigger, create, type Fields } from './factories';
import type { TestUser } from './platform';

const IN_BULK = 500;
const AT_ONCE = 20;

/** Many sensors with one trigger, and notifications that get each of its firings. */
export interface Fleet {
  sensorIds: string[];
  triggerId: string;
  notificationIds: string[];
}

/** Builds such sensors, as their owner can. */
export async function buildFleet(
  user: TestUser,
  { sensors, trigger, notifications }: { sensors: number; trigger: Fields; notifications: readonly Fields[] },
): Promise<Fleet> {
  const triggerId = await buildTrigger(user, trigger);
  const notificationIds: string[] = [];
  for (const fields of notifications) {
    const id = await buildNotification(user, fields);
    await create(user, `/triggers/${triggerId}/notifications`, { notification: { id } });
    notificationIds.push(id);
  }
  const sensorIds = await someAtOnce(sensors, () => buildSensor(user));
  for (let from = 0; from < sensors; from += IN_BULK) {
    const action = { connect_trigger: { id: triggerId } };
    await user.api.post('/sensors/bulk', { sensors: sensorIds.slice(from, from + IN_BULK), action });
  }
  return { sensorIds, triggerId, notificationIds };
}

/** Does something so many times, some at once. Returns the results in order. */
export async function someAtOnce<T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < times; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, times - from);
    results.push(...(await Promise.all(Array.from({ length }, (_, index) => act(from + index)))));
  }
  return results;
}

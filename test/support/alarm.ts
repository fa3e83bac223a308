import { buildNotification, buildSensor, buildTrigger, connectNotification, connectTrigger } from './factories';
import type { TestUser } from './platform';

export interface Alarm {
  sensorId: string;
  triggerId: string;
  notificationIds: string[];
}

type Fields = Record<string, unknown>;

/** A sensor with a trigger and its notifications, connected to each other. */
export async function buildAlarm(
  user: TestUser,
  { sensor, ...rules }: { sensor?: Fields; trigger: Fields; notifications: Fields[] },
): Promise<Alarm> {
  const { sensorIds, ...alarm } = await buildAlarms(user, { sensors: [{ name: 'thermometer', ...sensor }], ...rules });
  return { sensorId: sensorIds[0] ?? '', ...alarm };
}

/** The same with several sensors, which share the trigger and its notifications. */
export async function buildAlarms(
  user: TestUser,
  { sensors, trigger, notifications }: { sensors: Fields[]; trigger: Fields; notifications: Fields[] },
): Promise<Omit<Alarm, 'sensorId'> & { sensorIds: string[] }> {
  const sensorIds: string[] = [];
  for (const sensor of sensors) sensorIds.push(await buildSensor(user, sensor));
  const triggerId = await buildTrigger(user, { name: 'alarm', ...trigger });
  for (const sensorId of sensorIds) await connectTrigger(user, sensorId, triggerId);
  const notificationIds: string[] = [];
  for (const notification of notifications) {
    const id = await buildNotification(user, notification);
    notificationIds.push(id);
    for (const sensorId of sensorIds) await connectNotification(user, sensorId, triggerId, id);
  }
  return { sensorIds, triggerId, notificationIds };
}

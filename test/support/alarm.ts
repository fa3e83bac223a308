import { buildNotification, buildSensor, buildTrigger, connectNotification, connectTrigger } from './factories';
import type { TestUser } from './platform';

export interface Alarm {
  sensorId: string;
  triggerId: string;
  notificationIds: string[];
}

interface AlarmFields {
  sensor?: Record<string, unknown>;
  trigger: Record<string, unknown>;
  notifications: Record<string, unknown>[];
}

/** A sensor with a trigger and its notifications, connected to each other. */
export async function buildAlarm(user: TestUser, { sensor, trigger, notifications }: AlarmFields): Promise<Alarm> {
  const sensorId = await buildSensor(user, { name: 'thermometer', ...sensor });
  const triggerId = await buildTrigger(user, { name: 'alarm', ...trigger });
  await connectTrigger(user, sensorId, triggerId);
  const notificationIds: string[] = [];
  for (const notification of notifications) {
    const id = await buildNotification(user, notification);
    notificationIds.push(id);
    await connectNotification(user, sensorId, triggerId, id);
  }
  return { sensorId, triggerId, notificationIds };
}

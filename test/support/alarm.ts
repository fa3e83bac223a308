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

/** A sensor with a trigger and its notifications, made over the API. */
export async function buildAlarm({ api }: TestUser, { sensor, trigger, notifications }: AlarmFields): Promise<Alarm> {
  const made = async (path: string, body: unknown) => {
    const answer = await api.post(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const sensorId: string = (await made('/sensors', { sensor: { name: 'thermometer', ...sensor } })).sensor.id;
  const triggerId: string = (await made('/triggers', { trigger: { name: 'alarm', ...trigger } })).trigger.id;
  await made(`/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id: triggerId } }] });
  const notificationIds: string[] = [];
  for (const notification of notifications) {
    const { id } = (await made('/notifications', { notification })).notification;
    notificationIds.push(id);
    await made(`/sensors/${sensorId}/triggers/${triggerId}/notifications`, {
      notifications: [{ notification: { id } }],
    });
  }
  return { sensorId, triggerId, notificationIds };
}

// Creates the demo's sensors, triggers and notifications before it replays data.
import type { Client, components } from '../../client/src';

type Schemas = components['schemas'];
export type Value = number | { max: number; min: number; wind: number };

export interface Point {
  date: number;
  value: Value;
}

/** A rule for the platform, and the same as a function of the demo. */
export interface Rule {
  name: string;
  expression: string;
  holds(value: never, last: never): boolean;
}

/** The data of a sensor, month by month, with its rules. */
export interface Stream {
  name: string;
  data_type: string;
  months: Point[][];
  rules: Rule[];
}

export type PlacedRule = Rule & { triggerId: string };
export interface PlacedStream extends Omit<Stream, 'rules'> {
  sensorId: string;
  rules: PlacedRule[];
}

const INACTIVITY_SECONDS = 60;
export const INACTIVITY_RULE = 'no data for a minute';

/** A sensor that gets one value, and a trigger that fires when no other value follows. */
export interface InactiveSensor {
  sensorId: string;
  triggerId: string;
  sent: number;
  stored: number;
}

/** To the demo's own receiver, and by mail. */
export async function makeNotifications(client: Client, receiverUrl: string, email: string): Promise<string[]> {
  const byUrl = await client.post('/notifications', {
    body: {
      notification: {
        type: 'url',
        destination: receiverUrl,
        text: '{{trigger_name}}: {{sensor_data_value}} after {{last_sensor_data_value}}',
      },
    },
  });
  const byEmail = await client.post('/notifications', {
    body: {
      notification: {
        type: 'email',
        destination: email,
        digest: false, // years of data within a minute: each alert must be counted
        text: '{{sensor_name}}: {{trigger_name}} at {{sensor_data_value}}',
      },
    },
  });
  return [byUrl.notification.id, byEmail.notification.id];
}

export async function place(client: Client, stream: Stream, notificationIds: string[]): Promise<PlacedStream> {
  const { name, data_type } = stream;
  const { sensor } = await client.post('/sensors', { body: { sensor: { name, data_type } } });
  const rules: PlacedRule[] = [];
  for (const rule of stream.rules) {
    const fields = { name: rule.name, expression: rule.expression };
    rules.push({ ...rule, triggerId: await connectTrigger(client, sensor.id, fields, notificationIds) });
  }
  return { ...stream, sensorId: sensor.id, rules };
}

export async function placeInactiveSensor(client: Client, notificationIds: string[]): Promise<InactiveSensor> {
  const fields = { name: 'Seattle, a gateway that stops sending', data_type: 'float' };
  const { sensor } = await client.post('/sensors', { body: { sensor: fields } });
  const rule = { name: INACTIVITY_RULE, inactivity: INACTIVITY_SECONDS };
  const triggerId = await connectTrigger(client, sensor.id, rule, notificationIds);
  const sent = Date.now();
  await client.upload(sensor.id, [{ value: 11.5 }]);
  return { sensorId: sensor.id, triggerId, sent, stored: Date.now() };
}

async function connectTrigger(
  client: Client,
  sensorId: string,
  fields: Schemas['NewTrigger'],
  notificationIds: string[],
): Promise<string> {
  const { trigger } = await client.post('/triggers', { body: { trigger: fields } });
  const path = { id: sensorId, trigger_id: trigger.id };
  await client.post('/sensors/{id}/triggers', {
    params: { path: { id: sensorId } },
    body: { trigger: { id: trigger.id } },
  });
  const notifications = notificationIds.map((id) => ({ notification: { id } }));
  await client.post('/sensors/{id}/triggers/{trigger_id}/notifications', { params: { path }, body: { notifications } });
  return trigger.id;
}

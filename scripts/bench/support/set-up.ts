// What benchmarks make before they measure, by the typed client. What they measure is sent by clients that need less processor time.
import { randomBytes } from 'node:crypto';
import { type Client, type components, createClient, passwordDigest } from '../../../client/src';

type Schemas = components['schemas'];

/** Registers a user and logs in. */
export async function register(baseUrl: string): Promise<{ api: Client; userId: number; session: string }> {
  const username = `bench-${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const api = createClient({ baseUrl });
  const account = { username, password: passwordDigest(password), email: `${username}@example.org` };
  const { user } = await api.post('/users', { body: { user: account, disable_mail: true } });
  return { api, userId: Number(user.id), session: await api.login(username, password) };
}

/** Makes one thing of the user, and returns its id. */
export const makers = {
  sensor: async (api: Client, sensor: Schemas['CreateSensorRequest']['sensor']) =>
    (await api.post('/sensors', { body: { sensor } })).sensor.id,
  trigger: async (api: Client, trigger: Schemas['NewTrigger']) =>
    (await api.post('/triggers', { body: { trigger } })).trigger.id,
  notification: async (api: Client, notification: Schemas['NewNotification']) =>
    (await api.post('/notifications', { body: { notification } })).notification.id,
};

/** Lets a trigger watch a sensor, and report to a notification if there is one. */
export async function connect(api: Client, sensor: string, trigger: string, notification?: string): Promise<void> {
  await api.post('/sensors/{id}/triggers', { params: { path: { id: sensor } }, body: { trigger: { id: trigger } } });
  if (notification === undefined) return;
  const path = { id: sensor, trigger_id: trigger };
  const body = { notification: { id: notification } };
  await api.post('/sensors/{id}/triggers/{trigger_id}/notifications', { params: { path }, body });
}

/** The secret of a key that uploads to these sensors. */
export async function makeUploadKey(api: Client, sensors: string[]): Promise<string> {
  return (await api.createKey({ name: 'meter', scopes: ['data:write'], sensors })).secret;
}

/** The deliveries of a notification, with the time of each stage. */
export function deliveriesOf(api: Client, notification: string): AsyncIterable<Schemas['DeliveryView']> {
  return api.all('/deliveries', { params: { query: { notification_id: notification } } });
}

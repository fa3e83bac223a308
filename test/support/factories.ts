import assert from 'node:assert/strict';
import type { TestUser } from './platform';

export type Fields = Record<string, unknown>;
/** A user's session is all that it takes to build something of theirs. */
type Builder = Pick<TestUser, 'api'>;

const UPLOAD_SIZE = 5_000;

/** The id of a new sensor of the user. */
export async function buildSensor(user: Builder, overrides: Fields = {}): Promise<string> {
  return (await create(user, '/sensors', { sensor: { name: 'a sensor', ...overrides } })).sensor.id;
}

/** The id of a new trigger of the user. Its expression is `sensor_data_value > 30` unless it has a rule of its own. */
export async function buildTrigger(user: Builder, overrides: Fields = {}): Promise<string> {
  const rule = 'expression' in overrides || 'inactivity' in overrides ? {} : { expression: 'sensor_data_value > 30' };
  return (await create(user, '/triggers', { trigger: { name: 'a trigger', ...rule, ...overrides } })).trigger.id;
}

/** The id of a new notification of the user; to a URL that nothing listens to, unless `overrides` say otherwise. */
export async function buildNotification(user: Builder, overrides: Fields = {}): Promise<string> {
  const notification = { type: 'url', destination: 'http://127.0.0.1:9/', text: '', ...overrides };
  return (await create(user, '/notifications', { notification })).notification.id;
}

/** The id of a new group that the user founds. */
export async function buildGroup(user: Builder, overrides: Fields = {}): Promise<string> {
  return (await create(user, '/groups', { group: { name: 'a group', ...overrides } })).group.id;
}

/** A new key of the user, with its secret; it may do everything unless `overrides` say otherwise. */
export async function createKey(user: Builder, overrides: Fields = {}): Promise<{ id: string; secret: string }> {
  const key = { name: 'a key', scopes: ['read', 'data:write', 'write'], ...overrides };
  return (await create(user, '/keys', { key })).key;
}

/** The id of a new key of the user. */
export async function buildKey(user: Builder, overrides: Fields = {}): Promise<string> {
  return (await createKey(user, overrides)).id;
}

/** The id of a new mute of the user; for all of 2100 unless `overrides` say otherwise. */
export async function buildMute(user: Builder, overrides: Fields = {}): Promise<string> {
  const mute = { name: 'a mute', start: 4102444800, end: 4133980800, ...overrides };
  return (await create(user, '/mutes', { mute })).mute.id;
}

/** The id of a new note on a sensor of the user. */
export async function buildNote(user: Builder, sensorId: string, overrides: Fields = {}): Promise<string> {
  const note = { date: 1795229544, text: 'a note', ...overrides };
  return (await create(user, `/sensors/${sensorId}/notes`, { note })).note.id;
}

/** The id of a new MQTT source of the user; at a broker that nothing listens at, unless `overrides` say otherwise. */
export async function buildMqttSource(user: Builder, overrides: Fields = {}): Promise<string> {
  const source = { name: 'a broker', url: 'mqtt://127.0.0.1:9', topics: ['sensors/#'], decoder: 'json', ...overrides };
  return (await create(user, '/mqtt_sources', { mqtt_source: source })).mqtt_source.id;
}

/** The id of a new dashboard of the user; without tiles unless `overrides` say otherwise. */
export async function buildDashboard(user: Builder, overrides: Fields = {}): Promise<string> {
  return (await create(user, '/dashboards', { dashboard: { name: 'a dashboard', ...overrides } })).dashboard.id;
}

/** A tile with the chart of a sensor. */
export function chartOf(sensorId: string, overrides: Fields = {}): Fields {
  return { kind: 'chart', sensors: [sensorId], x: 0, y: 0, w: 6, h: 4, ...overrides };
}

/** `then` of a mute. Linters forbid it in an object literal, because `await` calls a function of that name. */
export function thenOf(what: unknown): Fields {
  return Object.fromEntries([['then', what]]);
}

/** The id of a new environment of the user. */
export async function buildEnvironment(user: Builder, overrides: Fields = {}): Promise<string> {
  return (await create(user, '/environments', { environment: { name: 'a place', ...overrides } })).environment.id;
}

/** The id of a new sensor service of this name, which is also that of its virtual sensor; the sensors feed it. */
export async function buildService(user: Builder, name: string, ...sensorIds: string[]): Promise<string> {
  let id = '';
  for (const sensorId of sensorIds) {
    const service = id === '' ? { name } : { id };
    id = (await create(user, `/sensors/${sensorId}/services`, { service })).service.id;
  }
  return id;
}

/** Connects a trigger to a sensor. */
export async function connectTrigger(user: Builder, sensorId: string, triggerId: string): Promise<void> {
  await create(user, `/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id: triggerId } }] });
}

/** Connects a notification to a trigger of a sensor; `after` seconds, if that is given. */
export async function connectNotification(
  user: Builder,
  sensorId: string,
  triggerId: string,
  id: string,
  after?: number,
) {
  const notifications = [{ notification: { id, after } }];
  await create(user, `/sensors/${sensorId}/triggers/${triggerId}/notifications`, { notifications });
}

/** Shares a sensor with another user. */
export async function share(user: Builder, sensorId: string, { id }: Pick<TestUser, 'id'>): Promise<void> {
  await create(user, `/sensors/${sensorId}/users`, { user: { id } });
}

/** Uploads one point, or a list of points in as many requests as it takes. */
export async function upload(user: Builder, sensorId: string, data: Fields | readonly unknown[]): Promise<void> {
  const path = `/sensors/${sensorId}/data`;
  if (!Array.isArray(data)) {
    await create(user, path, data);
    return;
  }
  for (let from = 0; from < data.length; from += UPLOAD_SIZE) {
    await create(user, path, { data: data.slice(from, from + UPLOAD_SIZE) });
  }
}

/** The body of the response to a request of a test's preparation, which must succeed. */
export async function create({ api }: Builder, path: string, body: unknown) {
  const response = await api.post(path, body);
  assert.equal(response.status, 201, `POST ${path}: ${JSON.stringify(response.body)}`);
  return response.body;
}

import { buildAlarm } from './alarm';
import { authorize, registerApplication } from './applications';
import { buildDashboard, buildKey, buildMqttSource, buildMute, buildNote, chartOf } from './factories';
import { invite } from './invitations';
import { writeLines } from './lines';
import { PNG } from './plan-pictures';
import type { Platform, TestUser } from './platform';

/** One of each kind of record that a user can have, made over the API. */
export interface Estate {
  user: TestUser;
  /** The marker in every name, text and value of it. */
  marker: string;
  ids: Record<Kind, string>;
}

const KINDS = [
  'user',
  'session',
  'passkey',
  'sensor',
  'data point',
  'device',
  'service',
  'used sensor',
  'reader',
  'environment',
  'sub environment',
  'trigger',
  'notification',
  'event notification',
  'delivery',
  'firing',
  'group',
  'invitation',
  'sensor invitation',
  'mute',
  'note',
  'mqtt source',
  'dashboard',
  'key',
  'application',
  'authorization',
  'series',
  'identity',
  'export',
  'import',
] as const;
export type Kind = (typeof KINDS)[number];

/** The kind of an id in a path, by the path up to it; otherwise it follows from the name of the id. */
const KINDS_BY_PATH: Record<string, Kind> = {
  '/users/{id}': 'user',
  '/users/blocked/{id}': 'user',
  '/sensors/{id}': 'sensor',
  '/triggers/{id}': 'trigger',
  '/notifications/{id}': 'notification',
  '/events/notifications/{id}': 'event notification',
  '/deliveries/{id}': 'delivery',
  '/firings/{id}': 'firing',
  '/devices/{id}': 'device',
  '/environments/{id}': 'environment',
  '/groups/{id}': 'group',
  '/mutes/{id}': 'mute',
  '/mqtt_sources/{id}': 'mqtt source',
  '/dashboards/{id}': 'dashboard',
  '/keys/{id}': 'key',
  '/sessions/{id}': 'session',
  '/identities/{id}': 'identity',
  '/passkeys/{id}': 'passkey',
  '/series/{id}': 'series',
  '/exports/{id}': 'export',
  '/imports/{id}': 'import',
  '/oauth/applications/{id}': 'application',
  '/oauth/authorizations/{id}': 'authorization',
  '/sensors/{id}/sensors/{sensor_id}': 'used sensor',
  '/sensors/{id}/users/{user_id}': 'reader',
  '/sensors/{id}/invitations/{invitation_id}': 'sensor invitation',
};
const KINDS_BY_NAME: Record<string, Kind> = {
  sensor_id: 'sensor',
  sensor_ids: 'sensor',
  data_id: 'data point',
  note_id: 'note',
  trigger_id: 'trigger',
  notification_id: 'notification',
  digest_id: 'delivery',
  user_id: 'user',
  device_id: 'device',
  service_id: 'service',
  sub_id: 'sub environment',
  group_id: 'group',
  invitation_id: 'invitation',
  // Also a group or an environment.
  source_id: 'sensor',
};

/** The kind of an id in the path of an operation. Throws for an unknown one, which needs a line above. */
export function kindInPath(path: string, name: string): Kind {
  const kind = KINDS_BY_PATH[path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)] ?? KINDS_BY_NAME[name];
  if (!kind) throw new Error(`test/support/estate.ts does not know the kind of {${name}} in ${path}`);
  return kind;
}

/** The kind of an id in a body or query: `trigger_id`, or `id` inside of `trigger` or `triggers`; else undefined. */
function kindInBody(key: string, parent = ''): Kind | undefined {
  if (key !== 'id') return KINDS_BY_NAME[key];
  const singular = parent.replace(/s$/, '');
  // An environment in a body becomes a part of the one in the path.
  if (singular === 'environment') return 'sub environment';
  return KINDS.find((kind) => kind === singular.replaceAll('_', ' '));
}

/** Builds it: a sensor with a trigger that fired once, and whose notification was delivered. */
export async function buildEstate(platform: Platform, user: TestUser, marker = `of-${user.username}`): Promise<Estate> {
  const { sensorId, triggerId, notificationIds } = await buildAlarm(user, {
    sensor: { name: `sensor ${marker}`, display_name: marker, device_type: marker },
    trigger: { name: `trigger ${marker}`, expression: 'sensor_data_value != "quiet"' },
    notifications: [{ type: 'email', destination: `${user.username}@example.org`, text: `text ${marker}` }],
  });
  const [notificationId = ''] = notificationIds;
  const { api } = user;
  const event = await api.post('/events/notifications', {
    event_notification: { name: `event ${marker}`, event: 'add_sensor_data', notification_id: notificationId },
  });
  // A date of its own, so that the id of the data point names none of another user's.
  const date = 1_795_229_544 + Number(user.id);
  await api.post(`/sensors/${sensorId}/data`, { value: `value ${marker}`, date });
  await platform.settle();
  const device = await api.post(`/sensors/${sensorId}/device`, { device: { type: marker, uuid: marker } });
  const service = await api.post(`/sensors/${sensorId}/services`, {
    service: { name: 'statistics_service' },
    sensor: { name: `mean ${marker}` },
  });
  const used = await api.post('/sensors', { sensor: { name: `used ${marker}` } });
  await api.post(`/sensors/${sensorId}/sensors`, { sensor: { id: used.body.sensor.id } });
  await api.put(`/sensors/${sensorId}/metatags`, { metatags: { room: [marker] } });
  const reader = await platform.user();
  await api.post(`/sensors/${sensorId}/users`, { user: { id: reader.id } });
  const [environment, part] = await buildEnvironments(user, sensorId, marker);
  const group = await api.post('/groups', { group: { name: `group ${marker}`, description: marker, hidden: true } });
  const application = await registerApplication(user, { name: `application ${marker}` });
  const { body: data } = await api.get(`/sensors/${sensorId}/data`);
  const { body: deliveries } = await api.get('/deliveries');
  const { body: firings } = await api.get('/firings');
  await api.post(`/groups/${group.body.group.id}/sensors`, { sensors: [{ id: sensorId }] });
  return {
    user,
    marker,
    ids: {
      user: user.id,
      session: await buildSession(platform, user),
      passkey: await buildPasskey(platform, user),
      sensor: sensorId,
      'data point': data.data[0].id,
      trigger: triggerId,
      notification: notificationId,
      'event notification': event.body.event_notification.id,
      device: device.body.device.id,
      service: service.body.service.id,
      'used sensor': used.body.sensor.id,
      reader: reader.id,
      environment,
      'sub environment': part,
      group: group.body.group.id,
      invitation: await invite(user, `/groups/${group.body.group.id}`),
      'sensor invitation': await invite(user, `/sensors/${sensorId}`),
      delivery: deliveries.deliveries[0].id,
      firing: firings.firings[0].id,
      mute: await buildMute(user, { name: `mute ${marker}`, sensors: [used.body.sensor.id], triggers: [triggerId] }),
      note: await buildNote(user, sensorId, { text: `note ${marker}` }),
      'mqtt source': await buildMqttSource(user, { name: `source ${marker}` }),
      dashboard: await buildDashboard(user, { name: `dashboard ${marker}`, tiles: [chartOf(sensorId)] }),
      key: await buildKey(user, { name: `key ${marker}`, sensors: [sensorId] }),
      application: application.id,
      authorization: await authorize(platform, { user, application }),
      series: await buildSeries(platform, user, marker),
      identity: await buildIdentity(platform, user, marker),
      ...(await buildArchives(user)),
    },
  };
}

/** Both are cancelled, because only one of each may be under way. */
async function buildArchives({ api }: TestUser): Promise<{ export: string; import: string }> {
  const [made, sent] = [await api.post('/exports', {}), await api.post('/imports', 'PK, and no zip')];
  const ids = { export: made.body.export.id, import: sent.body.import.id };
  await api.delete(`/exports/${ids.export}`);
  await api.delete(`/imports/${ids.import}`);
  return ids;
}

/** The id of a series that an agent reported. */
export async function buildSeries(platform: Platform, user: TestUser, marker: string): Promise<string> {
  await writeLines(platform, user, [`weather,station=${marker} temperature=21.5 1795229544000000000`]);
  return (await user.api.get('/series')).body.series[0].id;
}

/** The id of a passkey, which no browser has: it is only shown and removed. */
async function buildPasskey(platform: Pick<Platform, 'query'>, { id }: TestUser): Promise<string> {
  await platform.query(
    `INSERT INTO passkeys (user_id, name, credential_hash, credential_id, public_key, transports, counter, created_ms)
     VALUES (?, 'Phone', SHA2(UUID(), 256), 'AAAA', 'AAAA', '', 0, 0)`,
    [id],
  );
  const [row] = await platform.query('SELECT MAX(id) AS id FROM passkeys WHERE user_id = ?', [id]);
  return String(row?.id);
}

/** The id of another session of the user, made without a login, which takes long. */
async function buildSession(platform: Platform, { id }: TestUser): Promise<string> {
  const nowMs = platform.container.clock.now();
  const values = [id, nowMs, nowMs];
  await platform.query(
    "INSERT INTO sessions (token_hash, user_id, address, created_ms, used_ms) VALUES (SHA2(UUID(), 256), ?, '192.0.2.7', ?, ?)",
    values,
  );
  const [row] = await platform.query('SELECT MAX(id) AS id FROM sessions WHERE user_id = ?', [id]);
  return String(row?.id);
}

/** The id of an identity, made without a provider. */
async function buildIdentity(platform: Platform, { id }: TestUser, marker: string): Promise<string> {
  const sql = 'INSERT INTO identities (user_id, issuer, subject, name, created_ms) VALUES (?, ?, UUID(), ?, ?)';
  const values = [id, 'https://login.example.org', `identity ${marker}`, platform.container.clock.now()];
  await platform.query(sql, values);
  const [row] = await platform.query('SELECT MAX(id) AS id FROM identities WHERE user_id = ?', [id]);
  return String(row?.id);
}

/** An environment with the sensor, and another one that is a part of it. */
async function buildEnvironments({ api }: TestUser, sensorId: string, marker: string): Promise<[string, string]> {
  const make = async (name: string): Promise<string> => {
    const fields = {
      name: `${name} ${marker}`,
      floors: 1,
      gps_outline: '51.9 4.4,51.8 4.4,51.8 4.5',
      position: '51.8 4.4',
    };
    return (await api.post('/environments', { environment: fields })).body.environment.id;
  };
  const [environment, part] = [await make('house'), await make('room')];
  await api.post(`/environments/${environment}/environments`, { environments: [{ id: part }] });
  await api.post(`/environments/${environment}/sensors`, { sensors: [{ id: sensorId }] });
  const positions = [{ sensor_id: sensorId, position: '51.85 4.42' }];
  await api.put(`/environments/${environment}/positions`, { positions });
  await api.put(`/environments/${environment}/floor_plan`, { floor_plan: { image: PNG.toString('base64') } });
  return [environment, part];
}

/** The value with every id replaced by the result of `idOf` for its kind; undefined keeps the id. */
export function withIds(
  value: unknown,
  idOf: (kind: Kind, path: string) => string | undefined,
  path = '',
  parent = '',
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withIds(item, idOf, `${path}[${index}]`, parent));
  if (typeof value !== 'object' || value === null) return value;
  // A user with an id needs no username: that of an example would belong to another user.
  const { username, ...named } = { username: undefined, ...value };
  const entries = Object.entries('id' in value ? named : value).map(([key, inner]) => {
    const at = path ? `${path}.${key}` : key;
    const isList = Array.isArray(inner) && inner.every((item) => typeof item !== 'object');
    // Both `sensors: ["42"]` and `sensor_id: ["42"]` are lists of ids.
    const kind = kindInBody(key, parent) ?? (isList ? kindInBody('id', key) : undefined);
    if (!kind || (typeof inner === 'object' && !isList)) return [key, withIds(inner, idOf, at, key)];
    const id = idOf(kind, at);
    return [key, id === undefined ? inner : isList ? [id] : id];
  });
  return Object.fromEntries(entries);
}

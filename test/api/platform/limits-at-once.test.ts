import assert from 'node:assert/strict';
import {
  buildEnvironment,
  buildKey,
  buildMqttSource,
  buildMute,
  buildNote,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  connectTrigger,
  create,
} from '../../support/factories';
import { usePlatform } from '../../support/hooks';
import { PNG } from '../../support/plan-pictures';
import type { TestUser } from '../../support/platform';

const AT_ONCE = 10;
const EVERY = { all: true };

type Send = (index: number) => Promise<{ status: number; body: { error?: string } }>;

/** A limit of which one is left. */
interface LimitCase {
  name: string;
  limit: number;
  /** Makes everything but the last one, and returns what sends a request for one more. */
  prepare(user: TestUser, limit: number): Promise<Send>;
}

describe('ten requests at once for the last one of a limit', () => {
  const platform = usePlatform();

  /** Copies the row of this id until there are `count` of them, with other values in the given columns. */
  const copy = async (table: string, id: string, count: number, others: Record<string, string> = {}) => {
    const rows = await platform.query(
      "SELECT DISTINCT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%auto_increment%'",
      [table],
    );
    const names = rows.map(({ name }) => String(name));
    const values = names.map((name) => others[name] ?? `\`${name}\``);
    const columns = names.map((name) => `\`${name}\``).join(', ');
    const sql = `INSERT INTO ${table} (${columns}) SELECT ${values.join(', ')} FROM ${table} WHERE id = ?`;
    for (let made = 1; made < count; made += 1) await platform.query(sql, [id]);
  };
  const lastId = async (table: string) => (await platform.query(`SELECT MAX(id) AS id FROM ${table}`))[0]?.id;
  const many = <T>(count: number, build: () => Promise<T>) => Promise.all(Array.from({ length: count }, build));

  const cases: LimitCase[] = [
    {
      name: 'keys of a user',
      limit: 100,
      prepare: async (user, limit) => {
        await copy('api_keys', await buildKey(user), limit - 1, { secret_hash: 'SHA2(UUID(), 256)' });
        return () => user.api.post('/keys', { key: { name: 'last', scopes: ['read'] } });
      },
    },
    {
      name: 'applications of a user',
      limit: 100,
      prepare: async (user, limit) => {
        const application = { name: 'an application', type: 'web', callback_urls: ['https://app.example/done'] };
        const { id } = (await create(user, '/oauth/register_app', { application })).application;
        await copy('applications', id, limit - 1, { consumer_key: 'LEFT(SHA2(UUID(), 256), LENGTH(consumer_key))' });
        return () => user.api.post('/oauth/register_app', { application });
      },
    },
    {
      name: 'mutes of a user',
      limit: 100,
      prepare: async (user, limit) => {
        await copy('mutes', await buildMute(user), limit - 1);
        return () => user.api.post('/mutes', { mute: { name: 'last', start: 4102444800, end: 4133980800 } });
      },
    },
    {
      name: 'notes of a sensor',
      limit: 1_000,
      prepare: async (user, limit) => {
        const sensorId = await buildSensor(user);
        await copy('sensor_notes', await buildNote(user, sensorId), limit - 1);
        return () => user.api.post(`/sensors/${sensorId}/notes`, { note: { date: 1795229544, text: 'last' } });
      },
    },
    {
      name: 'dashboards of a user',
      limit: 100,
      prepare: async (user, limit) => {
        const { id } = (await create(user, '/dashboards', { dashboard: { name: 'first' } })).dashboard;
        await copy('dashboards', id, limit - 1);
        return () => user.api.post('/dashboards', { dashboard: { name: 'last' } });
      },
    },
    {
      name: 'MQTT sources of a user',
      limit: 20,
      prepare: async (user, limit) => {
        await many(limit - 1, () => buildMqttSource(user));
        const source = { name: 'last', url: 'mqtt://127.0.0.1:9', topics: ['a/#'], decoder: 'json' };
        return () => user.api.post('/mqtt_sources', { mqtt_source: source });
      },
    },
    {
      name: 'floor plans of a user',
      limit: 200,
      prepare: async (user, limit) => {
        const floor_plan = { image: PNG.toString('base64') };
        const ids = await many(limit - 1 + AT_ONCE, () => buildEnvironment(user));
        const [first, ...others] = ids.slice(AT_ONCE);
        const put = (id: unknown) => user.api.put(`/environments/${id}/floor_plan`, { floor_plan });
        assert.equal((await put(first)).status, 200);
        await many(others.length, () => put(others.pop()));
        return (index) => put(ids[index]);
      },
    },
    {
      name: 'event notifications of a user for one event',
      limit: 100,
      prepare: async (user, limit) => {
        const event_notification = { event: 'add_sensor', notification_id: await buildNotification(user) };
        const { id } = (await create(user, '/events/notifications', { event_notification })).event_notification;
        await copy('event_notifications', id, limit - 1);
        return () => user.api.post('/events/notifications', { event_notification });
      },
    },
    {
      name: 'blocked users of a user',
      limit: 1_000,
      prepare: async (user, limit) => {
        const others = await many(AT_ONCE, () => platform.user());
        const id = others[0]?.id ?? '';
        const name = `LEFT(REPLACE(UUID(), '-', ''), 30)`;
        const first = await lastId('users');
        await copy('users', id, limit, {
          username: name,
          username_key: name,
          uuid: 'UUID()',
          username_looks: name,
          email: "''",
        });
        await platform.query(
          `INSERT INTO user_blocks (user_id, blocked_id, knows_name, created_ms) SELECT ?, id, TRUE, 1 FROM users WHERE id > ?`,
          [user.id, first],
        );
        return (index) => user.api.post('/users/blocked', { user: { id: others[index]?.id } });
      },
    },
    {
      name: 'triggers of a user with a selector',
      limit: 100,
      prepare: async (user, limit) => {
        const trigger = { name: 'everywhere', expression: 'sensor_data_value > 30', selector: EVERY };
        await copy('triggers', await buildTrigger(user, trigger), limit - 1);
        return () => user.api.post('/triggers', { trigger });
      },
    },
    {
      name: 'triggers of a sensor',
      limit: 100,
      prepare: async (user, limit) => {
        const sensorId = await buildSensor(user);
        const first = await buildTrigger(user);
        await copy('triggers', first, limit - 1 + AT_ONCE);
        const { body } = await user.api.get('/triggers?per_page=200');
        const ids: string[] = body.triggers.map(({ id }: { id: string }) => id);
        const triggers = ids.slice(AT_ONCE).map((id) => ({ trigger: { id } }));
        await create(user, `/sensors/${sensorId}/triggers`, { triggers });
        return (index) =>
          user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id: ids[index] } }] });
      },
    },
    {
      name: 'notifications of a trigger on a sensor',
      limit: 20,
      prepare: async (user, limit) => {
        const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
        await connectTrigger(user, sensorId, triggerId);
        const ids = await many(limit - 1 + AT_ONCE, () => buildNotification(user));
        const path = `/sensors/${sensorId}/triggers/${triggerId}/notifications`;
        const notifications = ids.slice(AT_ONCE).map((id) => ({ notification: { id } }));
        await create(user, path, { notifications });
        return (index) => user.api.post(path, { notifications: [{ notification: { id: ids[index] } }] });
      },
    },
    {
      name: 'notifications of a trigger on all its sensors',
      limit: 20,
      prepare: async (user, limit) => {
        const path = `/triggers/${await buildTrigger(user)}/notifications`;
        const ids = await many(limit - 1 + AT_ONCE, () => buildNotification(user));
        const notifications = ids.slice(AT_ONCE).map((id) => ({ notification: { id } }));
        await create(user, path, { notifications });
        return (index) => user.api.post(path, { notification: { id: ids[index] } });
      },
    },
    {
      name: 'sensors of a service',
      limit: 100,
      prepare: async (user, limit) => {
        const ids = await many(limit - 1 + AT_ONCE, () => buildSensor(user));
        const id = await buildService(user, 'math_service', ...ids.slice(AT_ONCE));
        return (index) => user.api.post(`/sensors/${ids[index]}/services`, { service: { id } });
      },
    },
    {
      name: 'services of a user on a sensor',
      limit: 100,
      prepare: async (user, limit) => {
        const sensorId = await buildSensor(user);
        for (let made = 1; made < limit; made += 1) await buildService(user, 'math_service', sensorId);
        return () => user.api.post(`/sensors/${sensorId}/services`, { service: { name: 'math_service' } });
      },
    },
  ];

  for (const { name, limit, prepare } of cases) {
    it(`makes one: ${limit} ${name}`, async () => {
      const user = await platform.user();
      const send = await prepare(user, limit);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(index)));
      const made = answers.filter(({ status }) => status === 200 || status === 201);
      const refused = answers.filter(({ status }) => status === 409);
      assert.deepEqual([made.length, refused.length], [1, AT_ONCE - 1], JSON.stringify(answers));
      for (const { body } of refused) assert.match(String(body.error).replace(',', ''), new RegExp(`\\b${limit}\\b`));
    });
  }
});

import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { findUser } from '../../../src/people/accounts/find-users';
import { usePlatform } from '../../support/hooks';

const OTHER_DIGEST = 'ffffffffffffffffffffffffffffffff';

describe('accounts', () => {
  const platform = usePlatform();

  it('are shown only to their owner', async () => {
    const user = await platform.user();
    const other = await platform.user();
    const current = await user.api.get('/users/current.json');
    assert.equal(current.body.user.username, user.username);
    const keys = [
      'id',
      'email',
      'username',
      'name',
      'surname',
      'address',
      'zipcode',
      'country',
      'mobile',
      'timezone',
      'language',
      'weekly_report',
      'UUID',
      'openid',
    ];
    assert.deepEqual(Object.keys(current.body.user), keys);
    assert.deepEqual((await user.api.get(`/users/${user.id}`)).body, current.body);
    for (const id of [other.id, '999999']) {
      assert.equal((await user.api.get(`/users/${id}`)).status, 403);
      assert.equal((await user.api.put(`/users/${id}`, { user: { name: 'x' } })).status, 403);
      assert.equal((await user.api.delete(`/users/${id}`)).status, 403);
    }
    for (const id of ['0', '-1', '1.5', 'x', '99999999999999999999', '1%20or%201=1']) {
      assert.equal((await user.api.get(`/users/${id}`)).status, 404, id);
    }
    assert.equal((await platform.anonymous.get(`/users/${user.id}`)).status, 401);
    assert.equal((await other.api.get('/users/current')).body.user.name, 'Test');
  });

  it('have a time zone that only their user sees, and that is refused by its name if there is none', async () => {
    const user = await platform.user();
    const change = (timezone: unknown) => user.api.put(`/users/${user.id}`, { user: { timezone } });
    const saved = async () => (await user.api.get('/users/current')).body.user.timezone;
    assert.equal(await saved(), null);
    assert.equal((await change('Europe/Amsterdam')).body.user.timezone, 'Europe/Amsterdam');
    for (const unknown of ['Mars/Olympus', '+02:00', 'CEST?']) {
      const { status, body } = await change(unknown);
      assert.equal(status, 400, unknown);
      assert.deepEqual(body.fields, {
        'user.timezone': 'must be the name of a time zone, Europe/Amsterdam for instance',
      });
    }
    for (const wrong of ['x'.repeat(65), 7, ['UTC']]) {
      const { status, body } = await change(wrong);
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['user.timezone']], JSON.stringify(body));
    }
    assert.equal((await change('')).status, 200, 'an empty field is not given');
    assert.equal(await saved(), 'Europe/Amsterdam');
    assert.equal(
      (await user.api.put(`/users/${user.id}`, { user: { country: 'NL' } })).body.user.timezone,
      'Europe/Amsterdam',
    );
    assert.equal((await change(null)).body.user.timezone, null);
    assert.equal(await saved(), null);
  });

  it('have a language that only their user sees, English or German or none', async () => {
    const user = await platform.user();
    const change = (language: unknown) => user.api.put(`/users/${user.id}`, { user: { language } });
    const saved = async () => (await user.api.get('/users/current')).body.user.language;
    assert.equal(await saved(), null);
    assert.equal((await change('de')).body.user.language, 'de');
    for (const wrong of ['fr', 'de-DE', 7, ['de']]) {
      const { status, body } = await change(wrong);
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['user.language']], JSON.stringify(body));
    }
    assert.equal(await saved(), 'de');
    assert.equal((await change(null)).body.user.language, null);
  });

  it('change only the given fields', async () => {
    const user = await platform.user();
    const before = (await user.api.get('/users/current')).body.user;
    const sent = { ...before, id: '1', UUID: 'x', surname: '', mobile: null, country: 'NL' };
    const response = await user.api.put(`/users/${user.id}.json`, { user: sent });
    assert.equal(response.status, 200);
    assert.deepEqual(response.body.user, { ...before, country: 'NL' });
    assert.deepEqual((await user.api.get('/users/current')).body, response.body);
    assert.equal((await user.api.put(`/users/${user.id}`, { user: {} })).status, 200);
    assert.equal((await user.api.put(`/users/${user.id}`, { user: { email: 'nowhere' } })).status, 400);
  });

  it('can be renamed to a free username, which is then used to log in', async () => {
    const user = await platform.user();
    const other = await platform.user();
    const rename = (username: string) => user.api.put(`/users/${user.id}`, { user: { username } });
    assert.equal((await rename(other.username.toUpperCase())).status, 409);
    assert.equal((await rename(user.username.toUpperCase())).status, 200);
    const name = `renamed-${user.username}`;
    assert.equal((await rename(name)).body.user.username, name);
    const login = (username: string) => platform.anonymous.post('/login', { username, password: user.password });
    assert.deepEqual([(await login(user.username)).status, (await login(name)).status], [401, 200]);
  });

  it('end all other sessions with a new password', async () => {
    const user = await platform.user();
    const credentials = { username: user.username, password: user.password };
    const { body } = await platform.anonymous.post('/login', credentials);
    assert.equal((await user.api.put(`/users/${user.id}`, { user: { password: OTHER_DIGEST } })).status, 200);
    assert.equal((await user.api.get('/users/current')).status, 200);
    assert.equal((await platform.anonymous.get(`/users/current?session_id=${body.session_id}`)).status, 401);
    assert.equal((await platform.anonymous.post('/login', credentials)).status, 401);
  });

  it('are deleted with everything that belongs to them', async () => {
    const user = await platform.user();
    const other = await platform.user();
    const { pool } = platform.container.database;
    const insert = async (sql: string, ...values: unknown[]) => {
      const [result] = await pool.query(sql, values);
      return 'insertId' in result ? result.insertId : 0;
    };
    for (const { id } of [user, other]) {
      const sensor = await insert(
        "INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES (?, 's', '', 1)",
        id,
      );
      const trigger = await insert("INSERT INTO triggers (owner_id, name, created_ms) VALUES (?, 't', 1)", id);
      await insert('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES (?, ?, 1)', sensor, trigger);
      await insert(
        "INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables) VALUES (?, ?, ?, ?, 'r', ?, '{}')",
        id,
        sensor,
        trigger,
        sensor,
        Date.now(),
      );
      const notification = await insert(
        "INSERT INTO notifications (owner_id, type, text, destination, signing_secret, created_ms) VALUES (?, 'url', '', 'x', 'y', 1)",
        id,
      );
      await insert(
        "INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, created_ms) VALUES (UUID(), ?, ?, 'test', 'url', 'x', '', ?)",
        id,
        notification,
        Date.now(),
      );
      await insert(
        'INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (?, ?, 1)',
        sensor,
        id === user.id ? other.id : user.id,
      );
    }
    const response = await user.api.delete(`/users/${user.id}`);
    assert.equal(response.status, 200);
    assert.deepEqual(response.body, {});
    assert.equal((await user.api.get('/users/current')).status, 401);
    const left = async (table: string, column: string, id: string) => {
      const [rows] = await pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = ?`, [id]);
      return Number(rows[0]?.n);
    };
    for (const table of ['sensors', 'triggers', 'notifications']) {
      assert.deepEqual(
        [await left(table, 'owner_id', user.id), await left(table, 'owner_id', other.id)],
        [0, 1],
        table,
      );
    }
    for (const table of ['sessions', 'sensor_users']) assert.equal(await left(table, 'user_id', user.id), 0, table);
    await platform.container.purge.run();
    for (const table of ['firings', 'deliveries']) {
      assert.deepEqual(
        [await left(table, 'owner_id', user.id), await left(table, 'owner_id', other.id)],
        [0, 1],
        table,
      );
    }
    assert.equal((await platform.user({ username: user.username })).username, user.username);
  });

  it('are found by id, by username or by both, in order to share with them', async () => {
    const user = await platform.user();
    const references = [
      { id: user.id },
      { id: Number(user.id) },
      { username: user.username.toUpperCase() },
      { id: user.id, username: user.username },
      { id: '0', username: user.username },
      { id: '', username: user.username },
    ];
    for (const reference of references) {
      assert.equal(String((await findUser(reference)).id), user.id);
    }
    const strangers = [
      { id: '999999' },
      { id: 'x' },
      { username: 'nobody-at-all' },
      { id: '999999', username: user.username },
    ];
    for (const reference of strangers) await assert.rejects(findUser(reference), { status: 404 });
    for (const reference of [{}, { id: '0' }, { username: '' }]) {
      await assert.rejects(findUser(reference), { status: 400 });
    }
  });
});

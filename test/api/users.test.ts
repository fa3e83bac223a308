import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { type Mail, recordMails } from '../support/mails';
import { type Platform, startPlatform } from '../support/platform';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';
const OTHER_DIGEST = 'ffffffffffffffffffffffffffffffff';

describe('users', () => {
  let platform: Platform;
  let mails: { sent: Mail[]; fail: boolean };
  let count = 0;

  before(async () => {
    platform = await startPlatform();
    mails = recordMails(platform);
  });
  beforeEach(() => {
    mails.sent = [];
    mails.fail = false;
  });
  after(() => platform.close());

  const fresh = (fields: Record<string, unknown> = {}) => {
    count += 1;
    return { username: `anna-${count}`, email: `anna-${count}@example.org`, password: DIGEST, ...fields };
  };
  const register = (fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
    platform.anonymous.post('/users', { user: fresh(fields), ...more });

  describe('registration', () => {
    it('answers the record, where it is, and never the password', async () => {
      const user = fresh({
        name: 'Anna',
        surname: 'Müller',
        mobile: '+49 1',
        address: 'Weg 1',
        zipcode: '1',
        country: 'DE',
      });
      const answer = await platform.anonymous.post('/users.json', { user });
      assert.equal(answer.status, 201);
      const { id, UUID, ...rest } = answer.body.user;
      assert.match(id, /^[1-9]\d*$/);
      assert.match(UUID, /^[0-9a-f-]{36}$/);
      const { password, ...shown } = user;
      assert.deepEqual(rest, { ...shown, openid: null });
      assert.equal(answer.headers.get('location'), `${platform.url}/users/${id}`);
      assert.equal((await platform.anonymous.post('/login', { username: user.username, password })).status, 200);
    });

    it('takes a form and leaves what is not given empty', async () => {
      const form = 'user[username]=form-user&user[email]=form@example.org&user[name]=&disable_mail=1';
      const answer = await platform.anonymous.post('/users', `${form}&user[password]=${DIGEST}`, {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      assert.equal(answer.status, 201);
      assert.equal(answer.body.user.name, '');
      assert.equal(mails.sent.length, 0);
    });

    it('sends a welcome mail unless told not to, and succeeds when it cannot be sent', async () => {
      const { body } = await register();
      assert.deepEqual(
        mails.sent.map(({ to }) => to),
        [body.user.email],
      );
      await register({}, { disable_mail: '1' });
      await platform.anonymous.post('/users?disable_mail=1', { user: fresh() });
      assert.equal(mails.sent.length, 1);
      mails.fail = true;
      assert.equal((await register()).status, 201);
    });

    it('refuses a username that is taken, in any letter case', async () => {
      const { body } = await register();
      const again = await register({ username: body.user.username.toUpperCase() });
      assert.equal(again.status, 409);
      assert.equal(again.body.code, 'username_taken');
    });

    it('lets one of two registrations of the same username at once succeed', async () => {
      const user = fresh();
      const answers = await Promise.all([1, 2, 3, 4].map(() => platform.anonymous.post('/users', { user })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    });

    it('names what is wrong', async () => {
      const wrong: [Record<string, unknown>, string][] = [
        [{ username: undefined }, 'user.username'],
        [{ username: 'an\u0000na' }, 'user.username'],
        [{ username: 'a'.repeat(256) }, 'user.username'],
        [{ email: 'a@b.org, c@d.org' }, 'user.email'],
        [{ email: 'a@b.org\r\nBcc: c@d.org' }, 'user.email'],
        [{ email: '' }, 'user.email'],
        [{ password: 'clear text' }, 'user.password'],
        [{ password: DIGEST.slice(1) }, 'user.password'],
        [{ password: undefined }, 'user.password'],
        [{ name: 'x'.repeat(256) }, 'user.name'],
        [{ name: { first: 'x' } }, 'user.name'],
      ];
      for (const [fields, path] of wrong) {
        const answer = await register(fields);
        assert.equal(answer.status, 400, JSON.stringify(fields));
        assert.ok(path in answer.body.fields, JSON.stringify(answer.body));
      }
      for (const body of [{}, { user: 'anna' }, { user: null }, '[]', '{"user":']) {
        assert.equal((await platform.anonymous.post('/users', body)).status, 400);
      }
    });

    it('decides about the id, the UUID and the time itself', async () => {
      const first = (await register()).body.user;
      const { body } = await register({
        id: first.id,
        uuid: 'mine',
        UUID: 'mine',
        passwordHash: 'x',
        createdMs: 1,
        openid: 'y',
      });
      assert.notEqual(body.user.id, first.id);
      assert.notEqual(body.user.UUID, 'mine');
      assert.equal(body.user.openid, null);
    });
  });

  describe('accounts', () => {
    it('are shown to their owner only', async () => {
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

    it('change only in what is given', async () => {
      const user = await platform.user();
      const before = (await user.api.get('/users/current')).body.user;
      const sent = { ...before, id: '1', UUID: 'x', surname: '', mobile: null, country: 'NL' };
      const answer = await user.api.put(`/users/${user.id}.json`, { user: sent });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body.user, { ...before, country: 'NL' });
      assert.deepEqual((await user.api.get('/users/current')).body, answer.body);
      assert.equal((await user.api.put(`/users/${user.id}`, { user: {} })).status, 200);
      assert.equal((await user.api.put(`/users/${user.id}`, { user: { email: 'nowhere' } })).status, 400);
    });

    it('take a new username when it is free, and log in with it from then on', async () => {
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

    it('take everything along when they are removed', async () => {
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
        await insert(
          'INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES (?, ?, 1)',
          sensor,
          trigger,
        );
        await insert(
          "INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables) VALUES (?, ?, ?, ?, 'r', 1, '{}')",
          id,
          sensor,
          trigger,
          sensor,
        );
        const notification = await insert(
          "INSERT INTO notifications (owner_id, type, text, destination, signing_secret, created_ms) VALUES (?, 'url', '', 'x', 'y', 1)",
          id,
        );
        await insert(
          "INSERT INTO deliveries (webhook_id, owner_id, notification_id, type, destination, text, created_ms) VALUES (UUID(), ?, ?, 'url', 'x', '', 1)",
          id,
          notification,
        );
        await insert(
          'INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (?, ?, 1)',
          sensor,
          id === user.id ? other.id : user.id,
        );
      }
      const answer = await user.api.delete(`/users/${user.id}`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {});
      assert.equal((await user.api.get('/users/current')).status, 401);
      const left = async (table: string, column: string, id: string) => {
        const [rows] = await pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = ?`, [
          id,
        ]);
        return Number(rows[0]?.n);
      };
      for (const table of ['sensors', 'triggers', 'notifications', 'firings', 'deliveries']) {
        assert.equal(await left(table, 'owner_id', user.id), 0, table);
        assert.equal(await left(table, 'owner_id', other.id), 1, table);
      }
      for (const table of ['sessions', 'sensor_users']) assert.equal(await left(table, 'user_id', user.id), 0, table);
      const [purges] = await pool.query<RowDataPacket[]>('SELECT sensor_id FROM purges');
      assert.equal(purges.length, 1);
      assert.equal((await register({ username: user.username })).status, 201);
    });

    it('are found by id, by username or by both for those who share with them', async () => {
      const user = await platform.user();
      const { users } = platform.container;
      const references = [
        { id: user.id },
        { id: Number(user.id) },
        { username: user.username.toUpperCase() },
        { id: user.id, username: user.username },
        { id: '0', username: user.username },
        { id: '', username: user.username },
      ];
      for (const reference of references) {
        assert.equal(String((await users.findByIdOrUsername(reference)).id), user.id);
      }
      const strangers = [
        { id: '999999' },
        { id: 'x' },
        { username: 'nobody-at-all' },
        { id: '999999', username: user.username },
      ];
      for (const reference of strangers) await assert.rejects(users.findByIdOrUsername(reference), { status: 404 });
      for (const reference of [{}, { id: '0' }, { username: '' }]) {
        await assert.rejects(users.findByIdOrUsername(reference), { status: 400 });
      }
    });
  });
});

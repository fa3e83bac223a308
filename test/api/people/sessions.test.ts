import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { usePlatform } from '../../support/hooks';
import { recordedLogs } from '../../support/recorded-logs';

const OTHER_DIGEST = 'ffffffffffffffffffffffffffffffff';
const DAY_MS = 24 * 3_600_000;

describe('sessions', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform({ clock, config: { TRUST_PROXY: '1' } });

  const isLive = async (session: string) =>
    (await platform.anonymous.get('/users/current', { 'X-SESSION_ID': session })).status === 200;

  it('are returned by a login in the body, in the header and as a cookie', async () => {
    const { username, password } = await platform.user();
    const answer = await platform.anonymous.post('/login', { username, password });
    assert.equal(answer.status, 200);
    assert.equal(Object.keys(answer.body)[0], 'session_id');
    const id = answer.body.session_id;
    assert.match(id, /^[0-9A-Za-z]{27}$/);
    assert.equal(answer.headers.get('x-session_id'), id);
    assert.deepEqual(answer.headers.getSetCookie(), [`session_id=${id}; Path=/; HttpOnly; SameSite=Lax`]);
    const secure = await platform.anonymous.post('/login', { username, password }, { 'X-Forwarded-Proto': 'https' });
    assert.match(secure.headers.getSetCookie().join(), /; Secure$/);
  });

  it('are returned in a header with its exact letter case', async () => {
    const { username, password } = await platform.user();
    const names = await new Promise<string[]>((resolve, reject) => {
      const url = `${platform.url}/login.json?username=${username}&password=${password}`;
      const sending = request(url, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.rawHeaders);
      });
      sending.on('error', reject).end();
    });
    assert.ok(names.includes('X-SESSION_ID'));
  });

  it('start by a login with JSON, a form or the query, and the digest in either letter case', async () => {
    const { username, password } = await platform.user();
    const form = new URLSearchParams({ username: username.toUpperCase(), password: password.toUpperCase() }).toString();
    const header = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await platform.anonymous.post('/login', form, header)).status, 200);
    assert.equal((await platform.anonymous.post(`/login?${form}`)).status, 200);
  });

  it('do not start by a refused login, which returns "unauthorized" whether or not the user exists', async () => {
    const { username } = await platform.user();
    for (const name of [username, 'nobody-of-this-name', "' OR 1=1 -- "]) {
      const answer = await platform.anonymous.post('/login', { username: name, password: OTHER_DIGEST });
      assert.equal(answer.status, 401);
      assert.equal(answer.body.error, 'unauthorized');
      assert.equal(answer.headers.getSetCookie().length, 0);
    }
  });

  it('do not start with a password that is not an MD5 digest, which is an input error', async () => {
    const { username, password } = await platform.user();
    const wrong = [
      password.slice(1),
      `${password}0`,
      `${password.slice(1)}g`,
      `${password}\n`,
      'secret',
      '',
      null,
      12,
      {},
    ];
    for (const digest of wrong) {
      const answer = await platform.anonymous.post('/login', { username, password: digest });
      assert.equal(answer.status, 400, JSON.stringify(digest));
      assert.ok('password' in answer.body.fields);
    }
    assert.equal((await platform.anonymous.post('/login', {})).status, 400);
    assert.equal((await platform.anonymous.post('/login', { username: { $gt: '' }, password })).status, 400);
  });

  it('are accepted from the header, the cookie or a parameter', async () => {
    const { session, id } = await platform.user();
    const ways: [string, Record<string, string>][] = [
      ['', { 'X-SESSION_ID': session }],
      ['', { 'X-SESSIONID': session }],
      ['', { Cookie: `a=b; session_id=${session}` }],
      ['', { Cookie: `a=b; sessionid=${session}` }],
      ['', { 'X-SESSIONID': session, Cookie: `sessionid=${session}` }],
      [`?session_id=${session}`, {}],
    ];
    for (const [query, headers] of ways) {
      const answer = await platform.anonymous.get(`/users/current${query}`, headers);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.user.id, id);
    }
    const unknown = [
      'x',
      session.slice(1),
      `${session}0`,
      session.toLowerCase(),
      session.toUpperCase(),
      'a'.repeat(27),
      '%',
    ];
    for (const token of unknown) assert.equal(await isLive(token), false, token);
    assert.equal((await platform.anonymous.get('/users/current')).status, 401);
  });

  it('are never logged, nor are passwords and tokens', async () => {
    const { result: secrets, logged } = await recordedLogs(platform, async () => {
      const { session, username, password, api } = await platform.user();
      await platform.anonymous.get(`/users/current?session_id=${session}`);
      await platform.anonymous.post(`/login?username=${username}&password=${password}`);
      await platform.anonymous.post('/login', { username, password: OTHER_DIGEST });
      await platform.anonymous.get('/users/1', { Cookie: `session_id=${session}` });
      await api.get('/logout');
      return [session, password, OTHER_DIGEST];
    });
    assert.ok(logged.length >= 5);
    for (const secret of secrets) assert.ok(!logged.join().includes(secret));
  });

  it('are stored only as a hash of their id', async () => {
    const { session } = await platform.user();
    const rows = await platform.query('SELECT * FROM sessions');
    assert.ok(!JSON.stringify(rows).includes(session));
    assert.ok(rows.some((row) => row.token_hash === createHash('sha256').update(session).digest('hex')));
  });

  for (const method of ['post', 'get'] as const) {
    it(`end immediately by ${method.toUpperCase()} /logout, which clears the cookie and leaves the others`, async () => {
      const user = await platform.user();
      const { body } = await platform.anonymous.post('/login', { username: user.username, password: user.password });
      const answer = await user.api[method]('/logout');
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {});
      assert.match(answer.headers.getSetCookie().join(), /^session_id=; Path=\/;.*Max-Age=0/);
      assert.equal(await isLive(user.session), false);
      assert.equal(await isLive(body.session_id), true);
      assert.equal((await user.api[method]('/logout')).status, 401);
    });
  }

  it('older than a week end by a login from a new location, but not from a known one', async () => {
    const { username, password, session: old } = await platform.user();
    const login = async (address: string) =>
      (await platform.anonymous.post('/login', { username, password }, { 'X-Forwarded-For': address })).body.session_id;
    const home = await login('192.0.2.1');
    clock.offset += 3 * DAY_MS;
    const young = await login('192.0.2.2');
    clock.offset += 4 * DAY_MS + 60_000;
    const again = await login('192.0.2.1');
    assert.deepEqual(await Promise.all([old, home, young, again].map(isLive)), [true, true, true, true]);
    await login('192.0.2.3');
    assert.deepEqual(await Promise.all([old, home, young, again].map(isLive)), [false, false, true, true]);
  });

  it('of other users are not affected by a login from a new location', async () => {
    const other = await platform.user();
    clock.offset += 8 * DAY_MS;
    await platform.user();
    assert.equal(await isLive(other.session), true);
  });

  it('of simultaneous requests are looked up by one query', async () => {
    const users = await Promise.all([platform.user(), platform.user(), platform.user()]);
    const { uploads: pool } = platform.container.database;
    const query = pool.query.bind(pool);
    let queries = 0;
    Object.assign(pool, { query: (...args: Parameters<typeof query>) => [queries++, query(...args)][1] });
    const { sessions } = platform.container.services;
    const tokens = [...users.map((user) => user.session), 'b'.repeat(27), 'too-short', users[0]?.session ?? ''];
    const found = await Promise.all(tokens.map((token) => sessions.find(token)));
    Object.assign(pool, { query });
    assert.deepEqual(
      found.map((identity) => identity?.username ?? null),
      [...users.map((user) => user.username), null, null, users[0]?.username],
    );
    assert.equal(queries, 1);
  });

  it('other than the current one end by change_password, which requires the current password', async () => {
    const user = await platform.user();
    const login = (password: string) => platform.anonymous.post('/login', { username: user.username, password });
    const other = (await login(user.password)).body.session_id;
    const wrong = { current_password: OTHER_DIGEST, new_password: OTHER_DIGEST };
    const refused = await user.api.post('/change_password', wrong);
    assert.equal(refused.status, 403);
    assert.equal(await isLive(other), true);
    const right = { current_password: user.password, new_password: OTHER_DIGEST };
    assert.equal((await platform.anonymous.post('/change_password', right)).status, 401);
    assert.equal((await user.api.post('/change_password', { ...right, new_password: 'clear' })).status, 400);
    assert.equal((await user.api.post('/change_password', right)).status, 200);
    assert.deepEqual([await isLive(user.session), await isLive(other)], [true, false]);
    assert.equal((await login(user.password)).status, 401);
    assert.equal((await login(OTHER_DIGEST)).status, 200);
  });
});

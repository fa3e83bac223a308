import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../../../src/api/http-server';
import { buildContainer, type Container } from '../../../src/container';
import { createLogger } from '../../../src/platform/logger';
import { adminOf } from '../../support/admin';
import { apiClient } from '../../support/api-client';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  createKey,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };
const VIEWER = { Authorization: `Basic ${Buffer.from('viewer:looks-only').toString('base64')}` };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const HOUR_MS = 3_600_000;

describe('what operators do to users', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { BOARD_VIEWER_PASSWORD: 'looks-only' } });
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  const { admin, json } = adminOf(platform);
  let second: { container: Container; url: string; close(): Promise<void> };

  before(async () => {
    const container = buildContainer(platform.container.config, createLogger('silent', 'test'), clock);
    await container.prepare();
    const server = createHttpServer(container);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // a TCP server's address is an AddressInfo
    const close = async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await container.close();
    };
    second = { container, url: `http://127.0.0.1:${port}`, close };
  });
  after(() => second.close());

  /** Opens the page of an action and sends its form, as a browser does. */
  const act = async (name: string, fields = '', id = user.id) => {
    const path = `/admin/users/${id}/${name}`;
    const page = await platform.anonymous.get(path, OPERATOR);
    assert.equal(page.status, 200, String(page.body));
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(String(page.body)) ?? [];
    return platform.anonymous.post(path, `form_token=${token}${fields}`, { ...OPERATOR, ...FORM });
  };
  const everywhere = (headers: Record<string, string>) =>
    [platform.url, second.url].map((url) => apiClient(url, headers));
  const requireRefused = async (headers: Record<string, string>, sensor: string) => {
    for (const api of everywhere(headers)) {
      for (const answer of [
        await api.get('/sensors'),
        await api.post(`/sensors/${sensor}/data`, { value: 9, date: 9 }),
        await api.post(`/sensors/${sensor}/data`, { data: 'no data at all' }),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [403, 'account_disabled'], JSON.stringify(answer.body));
        assert.match(answer.body.error, /this account is disabled/);
      }
    }
  };

  /** Lets time pass in which uploads were possible, and does what is due then. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await platform.query('UPDATE heartbeats SET accepting_until_ms = ?', [clock.now()]);
    await platform.settle();
  };

  it('is for their logins alone, and changes nothing by a lookers’ login, a foreign page or a form of another user', async () => {
    const base = `/admin/users/${user.id}`;
    for (const path of ['/admin/users', base, `${base}/disable`]) {
      assert.equal((await platform.anonymous.get(path)).status, 401, path);
      assert.equal((await user.api.get(path)).status, 401, path);
      assert.equal((await platform.anonymous.get(path, VIEWER)).status, 200, path);
    }
    for (const name of ['disable', 'enable', 'end-sessions', 'remove-second-factors']) {
      const path = `${base}/${name}`;
      assert.equal((await user.api.post(path)).status, 401, name);
      assert.equal((await platform.anonymous.post(path, '', { ...VIEWER, ...FORM })).status, 403, name);
      assert.equal((await platform.anonymous.post(path, '', { ...OPERATOR, ...FORM })).status, 403, name);
      const foreign = { ...OPERATOR, ...FORM, Origin: 'https://evil.example' };
      assert.equal((await platform.anonymous.post(path, '', foreign)).status, 403, name);
      assert.equal((await platform.anonymous.put(path, {}, OPERATOR)).status, 405, name);
    }
    const other = await platform.user();
    const page = await platform.anonymous.get(`/admin/users/${other.id}/disable`, OPERATOR);
    const [, token] = /name="form_token" value="([^"]+)"/.exec(String(page.body)) ?? [];
    const stolen = await platform.anonymous.post(`${base}/disable`, `form_token=${token}`, { ...OPERATOR, ...FORM });
    assert.equal(stolen.status, 403);
    for (const id of ['0', '-1', 'x', '999999999', '1e3']) {
      for (const path of [`/admin/users/${id}`, `/admin/users/${id}/disable`])
        assert.equal((await platform.anonymous.get(path, OPERATOR)).status, 404, path);
    }
    assert.equal((await user.api.get('/sensors')).status, 200);
  });

  it('is refused in the language of the browser', async () => {
    const inLanguage = async (language: string) => {
      const headers = { ...OPERATOR, 'Accept-Language': language };
      return String((await platform.anonymous.get('/admin/users/0', headers)).body);
    };
    assert.match(await inLanguage('en'), /<html lang="en">[\s\S]*<h1>That is not possible<\/h1>\s*<nav/);
    assert.match(await inLanguage('de'), /<html lang="de">[\s\S]*<h1>[^<]+<\/h1>\s*<nav/);
  });

  it('refuses a disabled account at once in every process: its session, keys, uploads and password', async () => {
    const sensor = await buildSensor(user);
    const { secret } = await createKey(user);
    const session = { 'X-SESSION_ID': user.session };
    const key = { Authorization: `Bearer ${secret}` };
    for (const headers of [session, key]) {
      for (const api of everywhere(headers)) {
        for (const date of [1, 1])
          assert.equal((await api.post(`/sensors/${sensor}/data`, { value: 1, date })).status, 201);
      }
    }
    assert.equal((await act('disable')).status, 303);
    await requireRefused(session, sensor);
    await requireRefused(key, sensor);
    const points = await platform.query('SELECT date_ms FROM data_points WHERE sensor_id = ?', [sensor]);
    assert.deepEqual(points, [{ date_ms: 1_000 }]);
    const { username, password } = user;
    const login = (given: string) => platform.anonymous.post('/login', { username, password: given });
    assert.deepEqual([(await login(password)).status, (await login(password)).body.code], [403, 'account_disabled']);
    assert.equal(
      (await login('0'.repeat(32))).status,
      401,
      'a wrong password does not say that the account is disabled',
    );
    assert.equal((await act('disable')).status, 303, 'twice is harmless');

    assert.equal((await act('enable')).status, 303);
    for (const headers of [session, key]) {
      for (const api of everywhere(headers))
        assert.equal((await api.post(`/sensors/${sensor}/data`, { value: 2, date: 2 })).status, 201);
    }
    assert.equal((await login(password)).status, 200);
  });

  it('fires and delivers nothing of a disabled account, and counts its inactivity from when it is enabled', async () => {
    const sensor = await buildSensor(user, { data_type: 'float' });
    const above = await buildTrigger(user, { expression: 'sensor_data_value > 30' });
    const inactive = await buildTrigger(user, { expression: undefined, inactivity: 3_600 });
    const notification = await buildNotification(user, { destination: receiver.url });
    for (const trigger of [above, inactive]) {
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, notification);
    }
    await upload(user, sensor, { value: 31 });
    await act('disable');
    await platform.settle();
    await pass(3 * HOUR_MS);
    const firings = () => platform.query('SELECT sensor_id FROM firings WHERE sensor_id = ?', [sensor]);
    assert.deepEqual([await firings(), receiver.received.length], [[], 0]);
    await json('verify');

    await act('enable');
    await pass(HOUR_MS / 2);
    assert.deepEqual(await firings(), []);
    await json('verify');
    await pass(HOUR_MS);
    assert.equal((await firings()).length, 1);
    await upload(user, sensor, { value: 32 });
    await platform.settle();
    assert.equal((await firings()).length, 2);
    assert.equal(receiver.received.length, 2);
  });

  it('fails what waits for delivery when the account is disabled, with the reason, and sends it again on request', async () => {
    const sensor = await buildSensor(user, { data_type: 'float' });
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    const notification = await buildNotification(user, { destination: receiver.url });
    await connectNotification(user, sensor, trigger, notification);
    receiver.responses.push(500);
    await upload(user, sensor, { value: 31 });
    await platform.settle();
    await act('disable');
    clock.advance(24 * HOUR_MS);
    await platform.settle();
    assert.equal(receiver.received.length, 1, 'only the attempt before');
    await act('enable');
    const [delivery] = (await user.api.get('/deliveries')).body.deliveries;
    assert.equal(delivery.status, 'failed');
    const attempts = await platform.query('SELECT error FROM delivery_attempts WHERE delivery_id = ? ORDER BY id', [
      delivery.id,
    ]);
    assert.equal(attempts.at(-1)?.error, 'the account is disabled');
    assert.equal((await user.api.post(`/deliveries/${delivery.id}/redeliver`)).status, 200);
    await platform.settle();
    assert.equal(receiver.received.length, 2);
  });

  it('ends all sessions, and keys only on request', async () => {
    const { secret } = await createKey(user);
    const key = { Authorization: `Bearer ${secret}` };
    await act('end-sessions');
    for (const api of everywhere({ 'X-SESSION_ID': user.session }))
      assert.equal((await api.get('/sensors')).status, 401);
    for (const api of everywhere(key)) assert.equal((await api.get('/sensors')).status, 200);
    await act('end-sessions', '&option=1');
    for (const api of everywhere(key)) assert.equal((await api.get('/sensors')).status, 401);
    const login = await platform.anonymous.post('/login', { username: user.username, password: user.password });
    assert.equal(login.status, 200);
  });

  it('shows users with their use, sorted and searched, and records what operators do', async () => {
    const sensor = await buildSensor(user, { name: 'a secret place' });
    const { secret, id: keyId } = await createKey(user);
    await upload(user, sensor, { value: 31.25 });
    await platform.container.loadRecorder.addCounts();
    await act('disable');
    await act('enable');
    const list = async (query: string) => String((await platform.anonymous.get(`/admin/users${query}`, OPERATOR)).body);
    const rows = await list(`?search=${user.username}&sort=points`);
    assert.match(rows, new RegExp(`One user.*users/${user.id}">${user.username}</a>`, 's'));
    assert.match(rows, /<td class="number">1<\/td><td class="number">1<\/td><td class="number">0<\/td>/);
    assert.match(await list('?search=%25'), /No user matches/);
    for (const odd of ['?sort=constructor', '?page=-1', '?page=x', '?search[]=a', '?sort[]=points']) {
      assert.match(await list(odd), /users<\/a>|Users<\/h1>/, odd);
    }
    const page = String((await platform.anonymous.get(`/admin/users/${user.id}`, OPERATOR)).body);
    assert.match(page, /disabled the account.*operator|operator.*disabled the account/s);
    for (const hidden of ['a secret place', '31.25', secret, user.session, user.password])
      assert.ok(!page.includes(hidden), hidden);
    assert.ok(keyId);
    const { users } = await json('users', 'list', '--search', user.username);
    assert.deepEqual([users.length, users[0].points, users[0].sensors], [1, 1, 1]);
  });

  it('shows the last answer of a receiver without what it repeats of the request', async () => {
    receiver.responses.push((response) => {
      response.writeHead(410).end('{"error":"channel_archived","text":"Reading 31.25 now","id":"msg_1"}');
    });
    const sensor = await buildSensor(user, { data_type: 'float' });
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    const text = 'reading $sensor_data_value now';
    const notification = await buildNotification(user, { destination: `${receiver.url}/hook`, text });
    await connectNotification(user, sensor, trigger, notification);
    await upload(user, sensor, { value: 31.25 });
    await platform.settle();
    for (const path of ['/admin', `/admin/users/${user.id}`]) {
      const page = String((await platform.anonymous.get(path, OPERATOR)).body);
      assert.match(page, /410 <q>[^<]*channel_archived/, path);
      for (const hidden of ['31.25', 'Reading', 'reading $sensor'])
        assert.ok(!page.includes(hidden), `${path}: ${hidden}`);
    }
  });

  it('are commands as well', async () => {
    assert.match((await admin('users', 'disable', user.username)).output, /is disabled/);
    assert.match((await admin('users', 'disable', user.username)).output, /was already disabled/);
    assert.equal((await user.api.get('/sensors')).body.code, 'account_disabled');
    assert.match((await admin('users', 'enable', `id:${user.id}`)).output, /is enabled/);
    assert.match((await admin('users', 'enable', user.username)).output, /was already enabled/);
    assert.equal((await user.api.get('/sensors')).status, 200);
    await admin('sessions', 'end', user.username, '--all');
    assert.equal((await user.api.get('/sensors')).status, 401);
    assert.equal((await admin('users', 'disable', 'unknown-user')).exitCode, 1);
    assert.equal((await admin('users', 'list', '--sort', 'password')).exitCode, 2);
    const log = await json('users', 'log', '--limit', '1');
    assert.deepEqual([log[0].operator, log[0].action, log[0].subject], ['command line', 'end-sessions', user.username]);
  });
});

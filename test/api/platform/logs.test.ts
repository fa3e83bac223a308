import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '../../../src/api/http-server';
import { createLogger } from '../../../src/platform/logger';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';
import { until } from '../../support/until';

/** Sent in every place of a request; it must be in no line. */
const SECRET = 'hidden-5ecre7-hidden';

describe('the log', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let server: Server;
  let url: string;
  const lines: Record<string, unknown>[] = [];

  before(async () => {
    const logger = createLogger('debug', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    server = createHttpServer({ ...platform.container, logger });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  });
  beforeEach(() => {
    lines.length = 0;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('has a line for each request that is refused because of its Host or Expect', async () => {
    const { port } = new URL(url);
    const heads = ['GET /sensors HTTP/1.1\r\n', 'GET /sensors HTTP/1.1\r\nHost: x\r\nExpect: pears\r\n'];
    for (const head of heads) {
      const socket = connect(Number(port), '127.0.0.1').resume();
      socket.write(`${head}Connection: close\r\n\r\n`);
      await once(socket, 'close');
    }
    await until('both are logged', () => lines.filter(({ msg }) => msg === 'request').length === 2);
    assert.deepEqual(
      lines.map(({ status, method, requestId }) => [status, method, typeof requestId]),
      [
        [400, 'GET', 'string'],
        [417, 'GET', 'string'],
      ],
    );
  });

  it('names an older schema as the reason, and only where a migration is missing', async () => {
    const id = await buildSensor(user);
    const send = async (path: string, body?: string, type = 'application/json') => {
      const headers = { 'X-SESSION_ID': user.session, ...(body !== undefined && { 'Content-Type': type }) };
      const response = await fetch(url + path, { method: body === undefined ? 'GET' : 'POST', headers, body });
      return {
        status: response.status,
        retry: response.headers.get('retry-after'),
        body: (await response.json()) as { code: string },
      }; // errors have one
    };
    const [{ name } = { name: '' }] = await platform.query('SELECT name FROM migrations ORDER BY name DESC LIMIT 1');
    const ask = () =>
      Promise.all([
        send(`/sensors/${id}/data`),
        send(`/sensors/${id}/data`, '{"value":1,"date":1}'),
        send(`/sensors/${id}/data`, 'value=1', 'application/x-www-form-urlencoded'),
      ]);
    await platform.query('ALTER TABLE data_points RENAME COLUMN value TO newer');
    try {
      for (const { status, body } of await ask()) assert.deepEqual([status, body.code], [500, 'internal_error']);
      await platform.query('DELETE FROM migrations WHERE name = ?', [name]);
      lines.length = 0;
      for (const { status, body, retry } of await ask()) {
        assert.deepEqual([status, body.code, retry], [503, 'unavailable', '5']);
        assert.ok(!/schema|column|value/i.test(JSON.stringify(body)));
      }
      const reasons = lines.filter(({ msg }) => msg === 'unavailable').map(({ reason }) => String(reason));
      assert.equal(reasons.length, 3);
      for (const reason of reasons) assert.match(reason, /^the schema is older than this release: .*Unknown column/);
      assert.equal((await send('/sensors')).status, 200, 'what the schema has still works');
    } finally {
      await platform.query('INSERT IGNORE INTO migrations (name) VALUES (?)', [name]);
      await platform.query('ALTER TABLE data_points RENAME COLUMN newer TO value');
    }
  });

  const untilLogged = (count: number) => until(`${count} requests are logged`, () => requests().length === count);
  const requests = () => lines.filter(({ msg }) => msg === 'request');

  it('has one line for each request, with its id, and a level by its outcome', async () => {
    const sensorId = await buildSensor(user);
    const headers = { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json' };
    const answers = [
      await rawRequest(url, `/sensors/${sensorId}?x=1`, { headers }),
      await rawRequest(url, `/sensors/${sensorId}/data`, { method: 'POST', headers, body: '{"value":1}' }),
      await rawRequest(url, `/sensors/${sensorId}`),
      await rawRequest(url, '/nowhere', { headers }),
      await rawRequest(url, `/sensors/${sensorId}`, { method: 'PATCH', headers }),
    ];
    await untilLogged(5);
    assert.deepEqual(
      requests().map(({ level, method, route, id, status }) => [level, method, route, id, status]),
      [
        [20, 'GET', '/sensors/{id}', sensorId, 200],
        [20, 'POST', '/sensors/{id}/data', sensorId, 201],
        [30, 'GET', '/sensors/{id}', sensorId, 401],
        [30, 'GET', 'other', undefined, 404],
        [30, 'PATCH', '/sensors/{id}', sensorId, 405],
      ],
    );
    for (const [index, { requestId, ms }] of requests().entries()) {
      assert.equal(requestId, answers[index]?.headers['x-request-id']);
      assert.equal(typeof ms, 'number');
    }
  });

  it('leads from a delivery to the request that brought its point', async () => {
    const alarm = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [{ type: 'url', destination: 'http://127.0.0.1:9/', text: SECRET }],
    });
    const headers = { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json' };
    const send = (path: string, body: object) =>
      rawRequest(url, path, { method: 'POST', headers, body: JSON.stringify(body) });
    const uploads = [
      () => send(`/sensors/${alarm.sensorId}/data`, { value: 5 }),
      () => send(`/sensors/${alarm.sensorId}/data?x=1`, { value: 11 }),
    ];
    for (const upload of uploads) await upload();
    await platform.settle();
    await untilLogged(2);
    const [row] = await platform.query('SELECT id, webhook_id AS webhookId FROM deliveries ORDER BY id DESC');
    const { id, webhookId } = Object(row);
    const { deliveryTraces } = platform.container.services.operations;
    const trace = await deliveryTraces.find(String(webhookId));
    assert.deepEqual(await deliveryTraces.find(String(id)), trace);
    const found = requests().filter((line) => line.id === alarm.sensorId && line.storedMs === trace.instants.storedMs);
    assert.deepEqual(found, requests().slice(1));
    assert.deepEqual([String(trace.cause.sensorId), trace.attempts.length], [alarm.sensorId, 1]);
    assert.ok(!JSON.stringify(trace).includes(SECRET));
    await assert.rejects(deliveryTraces.find('999999999'), /the delivery does not exist/);
  });

  it('has no line with anything secret that a request holds, wherever that is', async () => {
    const { secret } = await createKey(user);
    const json = { 'Content-Type': 'application/json' };
    const paths = [`/${SECRET}`, `/sensors/${SECRET}`, `/sensors/1/data?session_id=${SECRET}`, `/sensors/%zz${SECRET}`];
    const sent = [
      ...paths.flatMap((path) => [
        rawRequest(url, path, { headers: { 'X-SESSION_ID': SECRET } }),
        rawRequest(url, path, {
          method: 'POST',
          headers: { ...json, Cookie: `session_id=${SECRET}` },
          body: `{"a":"${SECRET}`,
        }),
        rawRequest(url, path, {
          method: 'PUT',
          headers: { ...json, Authorization: `Bearer ${secret}` },
          body: `"${SECRET}"`,
        }),
      ]),
      rawRequest(url, '/login', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ username: SECRET, password: SECRET }),
      }),
      rawRequest(url, '/sensors/1/data', {
        method: 'POST',
        headers: { ...json, 'X-SESSION_ID': user.session },
        body: `{"value":"${SECRET}"}`,
      }),
      rawRequest(url, `/${SECRET}`, { method: 'PROPFIND', headers: { 'User-Agent': SECRET, Referer: SECRET } }),
    ];
    await Promise.all(sent);
    await untilLogged(sent.length);
    const text = JSON.stringify(lines);
    for (const one of [SECRET, secret, user.session, user.username]) assert.ok(!text.includes(one), text);
  });

  it('describes errors without their values', () => {
    const error = Object.assign(new Error(`Duplicate entry '${SECRET}'s' for key 'users_username_key'`), {
      ...{ code: 'ER_DUP_ENTRY', sqlState: '23000', sql: SECRET, parameters: [SECRET], fields: { name: SECRET } },
    });
    const wrapped = Object.assign(new Error(`near '${SECRET}' at line 1`), {
      name: 'SequelizeDatabaseError',
      parent: error,
    });
    let text = '';
    const logger = createLogger('debug', 'test', {
      write: (line) => {
        text += line;
      },
    });
    logger.error({ err: error }, 'one');
    logger.error({ err: wrapped }, 'two');
    logger.error({ err: SECRET }, 'three');
    assert.ok(!text.includes(SECRET), text);
    const [one, two] = text.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)));
    assert.deepEqual([one.err.type, one.err.code], ['Error', 'ER_DUP_ENTRY']);
    assert.equal(one.err.message, "Duplicate entry '…' for key 'users_username_key'");
    assert.match(one.err.stack, /^Error: Duplicate entry '…' for key 'users_username_key'\n {4}at .*logs\.test/);
    assert.deepEqual([two.err.type, two.err.code], ['SequelizeDatabaseError', 'ER_DUP_ENTRY']);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '../../../src/api/http-server';
import type { Container } from '../../../src/container';
import { TooMany } from '../../../src/platform/errors';
import { createLogger } from '../../../src/platform/logger';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { rawExchange, rawRequest } from '../../support/raw-request';
import { until } from '../../support/until';
import { sendAndCompare, UPLOAD_WAYS } from '../../support/upload-ways';

const POINT = '{"value":1,"date":1}';
const LIMIT = 12;

describe('uploads of devices and of pages', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let path: string;

  before(async () => {
    path = `/sensors/${await buildSensor(user)}/data`;
  });

  const requestOf = (body = POINT) => ({ method: 'POST', body, headers: { 'X-SESSION_ID': user.session } });
  /** The bytes of an upload, up to the last two of its body. */
  const allButTheEnd = (headers: Readonly<Record<string, string>>) => {
    const given = { Host: 'x', 'X-SESSION_ID': user.session, 'Content-Length': POINT.length, ...headers };
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${POINT.slice(0, -2)}`;
  };
  /** Serves the same platform again, with something else in the place of a part of it. */
  const serve = async (changes: Partial<Container>): Promise<{ server: Server; url: string }> => {
    const server = createHttpServer({ ...platform.container, ...changes });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server's address is an AddressInfo
    return { server, url: `http://127.0.0.1:${port}` };
  };

  it('are logged with the same line', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('debug', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    const { server, url } = await serve({ logger });
    await sendAndCompare(url, `${path}.json`, requestOf());
    await sendAndCompare(url, path, requestOf('{'));
    await until('all requests are logged', () => lines.length === 4);
    server.close();
    lines.sort((a, b) => Number(a.status) - Number(b.status)); // a line may be late
    for (const [index, status] of [201, 201, 400, 400].entries()) {
      const { time, requestId, ms, storedMs, ...line } = lines[index] ?? {};
      const target = { method: 'POST', route: '/sensors/{id}/data', id: path.split('/')[2] };
      assert.deepEqual(line, { level: status === 201 ? 20 : 30, process: 'test', ...target, status, msg: 'request' });
      assert.match(String(requestId), /^[0-9a-f-]{36}$/);
      assert.ok(typeof time === 'string' && typeof ms === 'number');
      assert.equal(typeof storedMs, status === 201 ? 'number' : 'undefined');
    }
  });

  it('get the same response when too much waits, and when the platform itself fails', async () => {
    for (const [error, status] of [
      [new TooMany('too many of your data points wait to be stored', 1), 429],
      [new Error('a mistake of ours'), 500],
      [Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }), 503],
    ] as const) {
      const dataPoints = Object.create(platform.container.services.dataPoints);
      dataPoints.upload = () => Promise.reject(error);
      const { server, url } = await serve({ services: { ...platform.container.services, dataPoints } });
      const response = await sendAndCompare(url, path, requestOf());
      assert.equal(response.status, status);
      assert.equal(response.headers.includes(`Retry-After: ${status === 429 ? 1 : 5}`), status !== 500);
      assert.equal(Object(response.body).request_id, status === 500 ? 'the id' : undefined);
      server.close();
    }
  });

  for (const { way, headers } of UPLOAD_WAYS) {
    it(`are answered while the server is closing, ${way}`, async () => {
      const { server, url } = await serve({});
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.setEncoding('latin1').write(allButTheEnd(headers));
      await once(server, 'request');
      const closed = once(server.close(), 'close');
      socket.write(POINT.slice(-2));
      assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 201 /);
      socket.destroy();
      await closed;
    });

    it(`are answered in order when several come at once, ${way}`, async () => {
      const begun = allButTheEnd(headers);
      const empty = begun.replace(/Content-Length: .*$/s, 'Content-Length: 0\r\n\r\n');
      const last = begun.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n') + POINT.slice(-2);
      const text = await rawExchange(platform.url, `${begun}${POINT.slice(-2)}${empty}${last}`);
      assert.deepEqual(text.match(/(?<=HTTP\/1\.1 )\d+/g), ['201', '400', '201']);
    });

    it(`of clients that close the connection are dropped, ${way}`, async () => {
      const { server, url } = await serve({});
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(allButTheEnd(headers));
      await once(server, 'request');
      socket.destroy();
      await once(server.close(), 'close');
      assert.equal((await rawRequest(platform.url, path, requestOf())).status, 201);
    });
  }

  it('may take a minute to arrive, and then get 408; larger bodies must not pause for ten seconds', async () => {
    const tooSlow = /^HTTP\/1\.1 408 .*\r\nConnection: close\r\n.*"code":"too_slow"/s;
    const ways = UPLOAD_WAYS.map(({ headers }) => headers);
    const late = ways.map((headers) => {
      const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
      socket.setEncoding('latin1').write(allButTheEnd(headers));
      return socket;
    });
    const never = ways.map((headers) => rawExchange(platform.url, allButTheEnd(headers)));
    const large = { 'Content-Length': '65537' };
    const refused = ways.map((headers) => rawExchange(platform.url, allButTheEnd({ ...headers, ...large })));
    for (const response of await Promise.all(refused)) assert.match(response, tooSlow);
    for (const socket of late) {
      const answer = once(socket, 'data');
      socket.write(POINT.slice(-2));
      assert.match(String(await answer), /^HTTP\/1\.1 201 /);
      socket.destroy();
    }
    for (const response of await Promise.all(never)) assert.match(response, tooSlow);
  });

  it('are small in chunks as long as little of them has arrived', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-SESSION_ID: ${user.session}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const late = connect(Number(new URL(platform.url).port), '127.0.0.1');
    late.setEncoding('latin1').write(head + chunk(POINT.slice(0, 9)));
    const refused = await rawExchange(platform.url, head + chunk(' '.repeat(65_537)));
    assert.match(refused, /^HTTP\/1\.1 408 /);
    const answer = once(late, 'data');
    late.write(`${chunk(POINT.slice(9))}0\r\n\r\n`);
    assert.match(String(await answer), /^HTTP\/1\.1 201 /);
    late.destroy();
  });
});

describe('uploads of devices under a limit of requests', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REQUESTS: String(LIMIT), TRUST_PROXY: '1' } });
  const user = useUser(platform);

  it('count as others do, and so do those that are refused', async () => {
    const path = `/sensors/${await buildSensor(user)}/data`;
    const send = async (body: string, headers: Readonly<Record<string, string>>, session = user.session) => {
      const given = { 'X-SESSION_ID': session, 'X-Forwarded-For': '192.0.2.9', ...headers };
      const response = await rawRequest(platform.url, path, { method: 'POST', body, headers: given });
      const { 'ratelimit-remaining': left, 'ratelimit-limit': limit, 'retry-after': retry } = response.headers;
      return { status: response.status, left: left && Number(left), limit, retry: Number(retry) > 0 };
    };
    let left = LIMIT - 1; // the sensor
    for (const { headers } of UPLOAD_WAYS) {
      assert.deepEqual((await send(POINT, headers)).left, --left);
      assert.deepEqual(await send('{}', headers), { status: 400, left: --left, limit: String(LIMIT), retry: false });
      // What is no JSON is refused before anybody knows whose it is.
      assert.deepEqual(await send('{', headers), { status: 400, left: undefined, limit: undefined, retry: false });
    }
    let ofAddress = LIMIT;
    for (const { headers } of [...UPLOAD_WAYS, ...UPLOAD_WAYS]) {
      const { status, left: remaining } = await send(POINT, headers, 'x'.repeat(27));
      assert.deepEqual([status, remaining], [401, --ofAddress]);
    }
    while (left > 0) assert.equal((await send(POINT, {})).left, --left);
    for (const { headers } of UPLOAD_WAYS) {
      assert.deepEqual(await send(POINT, headers), { status: 429, left: 0, limit: String(LIMIT), retry: true });
    }
  });
});

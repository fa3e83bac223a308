import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { type RawRequest, rawRequest } from '../../support/raw-request';
import { Stopwatch, timed } from '../../support/stopwatch';
import { until } from '../../support/until';

const FORM = 'application/x-www-form-urlencoded';
const MB = 1024 * 1024;

describe('hostile and unusual bodies', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensor: string;

  before(async () => {
    sensor = await buildSensor(user);
  });

  const post = async (path: string, request: RawRequest) => {
    const headers = { 'X-SESSION_ID': user.session, ...request.headers };
    const response = await rawRequest(platform.url, path, { method: 'POST', ...request, headers });
    return { status: response.status, headers: response.headers, body: JSON.parse(response.text) };
  };
  const postForm = (path: string, body: string) => post(path, { body, headers: { 'Content-Type': FORM } });
  const stored = async (id: string) => {
    const { data } = (await user.api.get(`/sensors/${id}/data?per_page=1000`)).body;
    return data.map(({ value, date }: { value: string; date: number }) => [value, date]);
  };
  const isUp = async () => assert.equal((await user.api.get('/sensors')).status, 200);

  const large = `{"sensor":{"name":"large"}}${' '.repeat(9 * MB)}`;
  const memoryIsFreed = () =>
    until(
      'the memory of closed connections is free again',
      async () => (await post('/sensors', { body: large })).status === 201,
    );

  it('that are compressed and claim to be too large are refused, and the server survives', async () => {
    for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br']) {
      for (const body of [Buffer.alloc(2_000, 'x'), gzipSync('{}')]) {
        const headers = { 'Content-Encoding': encoding, 'Content-Length': 20_000_000, Connection: 'close' };
        const response = await rawRequest(platform.url, '/login', { method: 'POST', body, headers });
        assert.deepEqual([response.status, JSON.parse(response.text).code], [413, 'too_large']);
      }
    }
    // The errors of the broken streams arrive later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await isUp();
  });

  it('that are compressed and break off do not harm the server', async () => {
    const head = 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n';
    const sockets = [gzipSync('{}'), Buffer.from('xxxx'), gzipSync('x'.repeat(5_000)).subarray(0, 12)].map((body) => {
      const socket = connect(Number(new URL(platform.url).port), '127.0.0.1', () => {
        socket.write(head);
        socket.write(body, () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
      return socket.on('error', () => undefined);
    });
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    await isUp();
  });

  it('may be forms of ten thousand points', async () => {
    const indexes = Array.from({ length: 10_000 }, (_, index) => index);
    const form = indexes.map((index) => `data[${index}][value]=${index}&data[${index}][date]=${index + 1}`).join('&');
    const response = await postForm(`/sensors/${sensor}/data`, form);
    assert.deepEqual([response.status, response.body], [201, { data: { accepted: 10_000 } }]);
    assert.deepEqual((await stored(sensor)).slice(0, 2), [
      ['0', 1],
      ['1', 2],
    ]);
    const one = await postForm(`/sensors/${sensor}/data`, `${form}&data[10000][value]=1`);
    assert.deepEqual([one.status, one.body.code], [400, 'invalid_input']);
    assert.equal((await postForm(`/sensors/${sensor}/data`, 'data[999999999][value]=1')).status, 400);
  });

  it('separate records without indexes by repeated names, in forms and queries', async () => {
    const id = await buildSensor(user);
    const form = 'data[][value]=1&data[][date]=1&data[][value]=2&data[][date]=2';
    assert.deepEqual((await postForm(`/sensors/${id}/data`, form)).body, { data: { accepted: 2 } });
    assert.deepEqual((await post(`/sensors/${id}/data?${form.replaceAll('=2', '=3')}`, {})).status, 201);
    const points =
      'sensors[][data][][value]=8&sensors[][data][][date]=8&sensors[][data][][value]=9&sensors[][data][][date]=9';
    const both = `sensors[][sensor_id]=${sensor}&${points}&sensors[][sensor_id]=${id}&${points}`;
    assert.equal((await postForm('/sensors/data', both)).status, 201);
    assert.deepEqual(await stored(id), [
      ['1', 1],
      ['2', 2],
      ['3', 3],
      ['8', 8],
      ['9', 9],
    ]);
    assert.deepEqual((await stored(sensor)).slice(7, 9), [
      ['8', 8],
      ['9', 9],
    ]);
  });

  it('of more than 64 KB need a session, and are refused without one after so much of them', async () => {
    for (const body of [Buffer.alloc(MB, ' '), gzipSync(Buffer.alloc(MB, ' '))]) {
      const headers = body.length < 10_000 ? { 'Content-Encoding': 'gzip' } : {};
      const response = await rawRequest(platform.url, '/login', { method: 'POST', body, headers });
      const { code, error } = JSON.parse(response.text);
      assert.deepEqual([response.status, code], [413, 'too_large']);
      assert.match(error, /needs a valid session/);
    }
    const small = Buffer.from(`${' '.repeat(60_000)}{}`);
    assert.equal((await rawRequest(platform.url, '/login', { method: 'POST', body: small })).status, 400);
  });

  it('are charged to their users: beyond 32 MB 429, beyond 128 MB of all users 503, and never small ones', async () => {
    const sockets: Socket[] = [];
    const hold = async (session: string, count: number) => {
      const head = `POST /sensors HTTP/1.1\r\nHost: x\r\nX-SESSION_ID: ${session}\r\nContent-Length: ${10 * MB}\r\n\r\n`;
      for (let index = 0; index < count; index++) {
        const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.write(head);
        await new Promise((resolve) => socket.write(Buffer.alloc(9.5 * MB, ' '), resolve));
      }
    };
    const isRefused = async (status: number, code: string, session: string) => {
      await until(`a large body is answered with ${status}`, async () => {
        const { status: seen, body, headers } = await post('/sensors', { body: large });
        if (seen === status && body.code === code && Number(headers['retry-after']) > 0) return true;
        // The large body may have taken the place of one that was still arriving.
        await hold(session, 1);
        return false;
      });
      assert.equal((await user.api.post('/sensors', { sensor: { name: 'small' } })).status, 201);
    };
    await hold(user.session, 3);
    await isRefused(429, 'rate_limited', user.session);
    for (const socket of sockets.splice(0)) socket.destroy();
    for (let index = 0; index < 5; index++) await hold((await platform.user()).session, 3);
    await isRefused(503, 'unavailable', (await platform.user()).session);
    for (const socket of sockets) socket.destroy();
    await memoryIsFreed();
  });

  it('that would be expensive to parse are refused before that', async () => {
    const many = (text: string, count: number) => text.repeat(count);
    for (const body of [
      many('[', 5_000_000),
      `{"a":${many('{"a":', 200)}1${many('}', 201)}`,
      `[${many('0,', 200_000)}0]`,
      `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join()}}`,
      `[${many(`[${many('0,', 1_000)}0],`, 1_100)}0]`,
    ]) {
      const watch = new Stopwatch();
      const response = await post('/sensors', { body });
      const ms = watch.stop();
      assert.deepEqual([response.status, response.body.code], [400, 'too_complex'], body.slice(0, 40));
      let sum = 0;
      const bareMs = await timed(() => {
        for (const byte of Buffer.from(body)) sum += byte;
      });
      assert.ok(sum > 0 && ms < 20 * bareMs + 1_000, `${ms} ms`);
    }
    await isUp();
  }).retries(2);

  it('free their memory when the client disconnects during decompression', async () => {
    const packed = gzipSync(randomBytes(9 * MB));
    const head = `POST /sensors HTTP/1.1\r\nHost: x\r\nX-SESSION_ID: ${user.session}\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    for (let index = 0; index < 60; index++) {
      const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head);
      await new Promise((resolve) => socket.write(packed, resolve));
      setTimeout(() => socket.resetAndDestroy(), index % 20);
      await once(socket, 'close');
    }
    await memoryIsFreed();
  });

  it('cost about the same with and without the name of the prototype in a long list', async () => {
    const list = (word: string) => `{"sensor":{"name":"x"},"many":[${'0,'.repeat(90_000)}"${word}"]}`;
    const take = async (body: string) => assert.equal((await post('/sensors', { body })).status, 201);
    await take(list('harmless'));
    const harmlessMs = await timed(() => take(list('harmless')));
    assert.ok((await timed(() => take(list('__proto__')))) < 4 * harmlessMs + 200);
    const nested = `{"sensor":{"name":"x"},"many":${'['.repeat(90)}{"__proto__":1}${']'.repeat(90)}}`;
    assert.equal((await post('/sensors', { body: nested })).status, 201);
    await isUp();
  }).retries(2);

  it('with strings that are almost numbers take time in proportion to their length', async () => {
    const watch = new Stopwatch();
    const digits = `${'1'.repeat(MB)}x`;
    const id = await buildSensor(user);
    const refused: [string, unknown, string][] = [
      [`/sensors/${id}/data`, { data: [{ value: 1, date: digits }] }, 'data[0].date'],
      [`/sensors/${id}/data`, { data: [{ value: 1, date: '1'.repeat(1_000) }] }, 'data[0].date'],
      [
        '/triggers',
        { trigger: { name: 't', expression: 'sensor_data_value > 1', inactivity: digits } },
        'trigger.inactivity',
      ],
    ];
    for (const [path, body, field] of refused) {
      const response = await post(path, { body: JSON.stringify(body) });
      assert.deepEqual([response.status, Object.keys(response.body.fields)], [400, [field]]);
    }
    const nearly = ['1', ' ', '0.1', '.1', '1e1'].map((start) => `${start}${(start.at(-1) ?? '').repeat(65_000)}x`);
    const data = nearly.map((value, index) => ({ value, date: 60 * (index + 1) }));
    assert.equal((await user.api.post(`/sensors/${id}/data`, { data })).status, 201);
    const means = await user.api.get(`/sensors/${id}/data?interval=60`);
    assert.deepEqual(
      means.body.data?.map(({ value }: { value: string }) => value),
      nearly,
      String(means.status),
    );
    assert.ok(watch.stop() < 15_000);
  });
});

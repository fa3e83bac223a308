import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type RawRequest, rawRequest } from '../support/raw-request';
import { until } from '../support/until';

const FORM = 'application/x-www-form-urlencoded';
const MB = 1024 * 1024;

describe('hostile and unusual bodies', () => {
  let platform: Platform;
  let user: TestUser;
  let sensor: string;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
    sensor = String((await user.api.post('/sensors', { sensor: { name: 'lamp' } })).body.sensor.id);
  });
  after(() => platform.close());

  const post = async (path: string, request: RawRequest) => {
    const headers = { 'X-SESSION_ID': user.session, ...request.headers };
    const answer = await rawRequest(platform.url, path, { method: 'POST', ...request, headers });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) };
  };
  const postForm = (path: string, body: string) => post(path, { body, headers: { 'Content-Type': FORM } });
  const stored = async (id: string) => {
    const { data } = (await user.api.get(`/sensors/${id}/data?per_page=1000`)).body;
    return data.map(({ value, date }: { value: string; date: number }) => [value, date]);
  };
  const isUp = async () => assert.equal((await user.api.get('/sensors')).status, 200);

  const large = `{"sensor":{"name":"large"}}${' '.repeat(9 * MB)}`;
  const roomAgain = () =>
    until('what hung up has made room', async () => (await post('/sensors', { body: large })).status === 201);

  it('a packed body that claims to be too large is refused, and the server lives on', async () => {
    for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br']) {
      for (const body of [Buffer.alloc(2_000, 'x'), gzipSync('{}')]) {
        const headers = { 'Content-Encoding': encoding, 'Content-Length': 20_000_000, Connection: 'close' };
        const answer = await rawRequest(platform.url, '/login', { method: 'POST', body, headers });
        assert.deepEqual([answer.status, JSON.parse(answer.text).code], [413, 'too_large']);
      }
    }
    // What the broken streams still have to say comes later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await isUp();
  });

  it('packed bodies that break, or stop and hang up, do the server no harm', async () => {
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

  it('a form holds ten thousand points', async () => {
    const indexes = Array.from({ length: 10_000 }, (_, index) => index);
    const form = indexes.map((index) => `data[${index}][value]=${index}&data[${index}][date]=${index + 1}`).join('&');
    const answer = await postForm(`/sensors/${sensor}/data`, form);
    assert.deepEqual([answer.status, answer.body], [201, { data: { accepted: 10_000 } }]);
    assert.deepEqual((await stored(sensor)).slice(0, 2), [
      ['0', 1],
      ['1', 2],
    ]);
    const one = await postForm(`/sensors/${sensor}/data`, `${form}&data[10000][value]=1`);
    assert.deepEqual([one.status, one.body.code], [400, 'invalid_input']);
    assert.equal((await postForm(`/sensors/${sensor}/data`, 'data[999999999][value]=1')).status, 400);
  });

  it('records without indexes are told apart by the names that come again, in forms and queries', async () => {
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'rack' } })).body.sensor;
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

  it('more bodies at once than the memory has room for are refused with 503, small ones never', async function () {
    this.timeout(60_000);
    const part = Buffer.alloc(9 * MB, ' ');
    const head = `POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: ${10 * MB}\r\n\r\n`;
    const sockets: Socket[] = [];
    const answers: string[] = [];
    for (let index = 0; index < 16; index++) {
      const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined).on('data', (bytes) => answers.push(bytes.toString('utf8')));
      socket.write(head);
      await new Promise((resolve) => socket.write(part, resolve));
    }
    for (const body of [large, gzipSync(large)]) {
      const headers = body === large ? {} : { 'Content-Encoding': 'gzip' };
      const refused = await post('/sensors', { body, headers });
      assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
      assert.ok(Number(refused.headers['retry-after']) > 0);
    }
    assert.ok(answers.length > 0 && answers.every((answer) => answer.startsWith('HTTP/1.1 503 ')), answers.join());
    assert.equal((await user.api.post('/sensors', { sensor: { name: 'small' } })).status, 201);
    for (const socket of sockets) socket.destroy();
    await roomAgain();
  });

  it('whoever hangs up while a body is still being unpacked leaves no trace in the memory', async function () {
    this.timeout(60_000);
    const packed = gzipSync(Buffer.alloc(9 * MB, ' '));
    const head = `POST /login HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    for (let index = 0; index < 60; index++) {
      const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head);
      await new Promise((resolve) => socket.write(packed, resolve));
      setTimeout(() => socket.resetAndDestroy(), index % 20);
      await once(socket, 'close');
    }
    await roomAgain();
  });

  it('a list with the name of the prototype in it costs about as much as one without', async function () {
    this.timeout(60_000);
    const list = (word: string) => `{"sensor":{"name":"x"},"many":[${'0,'.repeat(4_500_000)}"${word}"]}`;
    const timed = async (body: string) => {
      const started = performance.now();
      assert.equal((await post('/sensors', { body })).status, 201);
      return performance.now() - started;
    };
    await timed(list('harmless'));
    const harmless = await timed(list('harmless'));
    assert.ok((await timed(list('__proto__'))) < 4 * harmless + 200);
    const nested = `{"sensor":{"name":"x"},"many":${'['.repeat(100_000)}{"__proto__":1}${']'.repeat(100_000)}}`;
    assert.equal((await post('/sensors', { body: nested })).status, 201);
    await isUp();
  });

  it('texts that nearly are numbers are refused, or stored and read, in time with their length', async () => {
    const started = performance.now();
    const digits = `${'1'.repeat(MB)}x`;
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'digits' } })).body.sensor;
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
      const answer = await post(path, { body: JSON.stringify(body) });
      assert.deepEqual([answer.status, Object.keys(answer.body.fields)], [400, [field]]);
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
    assert.ok(performance.now() - started < 15_000);
  });
});

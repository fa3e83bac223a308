import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type RawRequest, rawRequest } from '../support/raw-request';

const FORM = 'application/x-www-form-urlencoded';
const MB = 1024 * 1024;

describe('bodies of requests', () => {
  let platform: Platform;
  let user: TestUser;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
  });
  after(() => platform.close());

  const send = async (path: string, request: RawRequest) => {
    const headers = { 'X-SESSION_ID': user.session, ...request.headers };
    const answer = await rawRequest(platform.url, path, { method: 'POST', ...request, headers });
    return { status: answer.status, body: JSON.parse(answer.text) };
  };
  const nameOf = async (path: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}, chunked = false) => {
    const answer = await send(path, { body, headers, chunked });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.sensor.name;
  };

  it('a path that ends in .json takes JSON whatever the content type says, or none', async () => {
    const json = '{"sensor":{"name":"lamp é"}}';
    const types = [FORM, 'text/plain', 'application/octet-stream', 'multipart/form-data', 'x', 'application/json'];
    for (const type of types) assert.equal(await nameOf('/sensors.json', json, { 'Content-Type': type }), 'lamp é');
    assert.equal(await nameOf('/sensors.json', json), 'lamp é');
  });

  it('a path that ends in .json takes a body that is no JSON and is labelled as a form as a form', async () => {
    assert.equal(await nameOf('/sensors.json', 'sensor[name]=lamp', { 'Content-Type': FORM }), 'lamp');
    const broken = await send('/sensors.json', { body: '{"sensor":', headers: { 'Content-Type': FORM } });
    assert.deepEqual([broken.status, broken.body.code], [400, 'unparsable_json']);
  });

  it('the suffix .json changes nothing on any method, with or without a query', async () => {
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'lamp' } })).body.sensor;
    assert.equal((await user.api.get(`/sensors/${id}.json`)).body.sensor.id, id);
    assert.equal((await user.api.get('/sensors.json?per_page=1')).body.sensors.length, 1);
    assert.equal((await user.api.put(`/sensors/${id}.json`, { sensor: { name: 'new' } })).body.sensor.name, 'new');
    assert.deepEqual((await user.api.delete(`/sensors/${id}.json`)).body, {});
    assert.equal((await user.api.get(`/sensors/${id}.json`)).status, 404);
  });

  it('JSON is read in the charset that its content type names', async () => {
    const json = '{"sensor":{"name":"Küche"}}';
    const utf16 = Buffer.from(json, 'utf16le');
    const sent: [string | Buffer, string][] = [
      [json, 'application/json; charset=utf-8'],
      [json, 'application/json;charset="UTF8"'],
      [`\ufeff${json}`, 'application/json'],
      [Buffer.from(json, 'latin1'), 'application/json; charset=ISO-8859-1'],
      [utf16, 'application/json; charset=utf-16le'],
    ];
    for (const [body, type] of sent) assert.equal(await nameOf('/sensors', body, { 'Content-Type': type }), 'Küche');
    const unknown = await send('/sensors', { body: json, headers: { 'Content-Type': 'application/json; charset=x' } });
    assert.deepEqual([unknown.status, unknown.body.code], [415, 'unreadable_charset']);
  });

  it('a form takes bracket names, escapes and plus signs', async () => {
    const header = { 'Content-Type': `${FORM}; charset=utf-8` };
    assert.equal(await nameOf('/sensors', 'sensor[name]=a+b%20%C3%A9&sensor[id]=5', header), 'a b é');
    assert.equal(await nameOf('/sensors', 'sensor%5Bname%5D=lamp', header), 'lamp');
  });

  it('parameters of a POST come in the query, a form or JSON, and the body wins over the query', async () => {
    const { username, password } = user;
    const form = new URLSearchParams({ username, password }).toString();
    const half = `username=${username}`;
    const ways: [string, RawRequest][] = [
      [`/login?${form}`, {}],
      [`/login.json?${form}`, { body: '' }],
      ['/login', { body: form, headers: { 'Content-Type': FORM } }],
      ['/login', { body: JSON.stringify({ username, password }), headers: { 'Content-Type': 'application/json' } }],
      [`/login?${half}`, { body: JSON.stringify({ password }) }],
      [`/login?username=nobody&password=${password}`, { body: half, headers: { 'Content-Type': FORM } }],
    ];
    for (const [path, request] of ways) assert.equal((await send(path, request)).status, 200, path);
    assert.equal(await nameOf('/sensors?sensor[name]=lamp', ''), 'lamp');
  });

  it('the session may be a parameter of the body, too', async () => {
    const session = `session_id=${user.session}`;
    const ways: RawRequest[] = [
      { body: `${session}&sensor[name]=lamp`, headers: { 'Content-Type': FORM } },
      { body: JSON.stringify({ session_id: user.session, sensor: { name: 'lamp' } }) },
    ];
    for (const way of ways) {
      const answer = await rawRequest(platform.url, '/sensors', { method: 'POST', ...way });
      assert.equal(answer.status, 201);
      assert.ok(!answer.text.includes(user.session));
    }
    assert.equal((await rawRequest(platform.url, '/sensors', { method: 'POST', body: '{}' })).status, 401);
  });

  it('a body that is no JSON is refused, one of another kind with 415', async () => {
    const bad = await send('/sensors', { body: '{"sensor":oops}', headers: { 'Content-Type': 'application/json' } });
    assert.deepEqual([bad.status, bad.body.code], [400, 'unparsable_json']);
    assert.match((await send('/sensors', { body: '{"sensor" 5}' })).body.error, /at position 10$/);
    for (const body of ['[]', '5', 'null', '"x"']) {
      assert.equal((await send('/sensors', { body })).status, 400, body);
    }
    const type = 'multipart/form-data; boundary=x';
    const multipart = await send('/sensors', { body: '--x\r\n\r\n--x--', headers: { 'Content-Type': type } });
    assert.deepEqual([multipart.status, multipart.body.code], [415, 'unreadable_type']);
  });

  it('compressed bodies are taken, with a length or chunked, on POST and PUT', async () => {
    const json = JSON.stringify({ sensor: { name: 'packed' } });
    const packed: [string, Buffer][] = [
      ['gzip', gzipSync(json)],
      ['x-gzip', gzipSync(json)],
      ['GZIP', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['br', brotliCompressSync(json)],
      ['identity', Buffer.from(json)],
    ];
    for (const [encoding, body] of packed) {
      const headers = { 'Content-Encoding': encoding, 'Content-Type': 'application/json' };
      for (const chunked of [false, true]) {
        assert.equal(await nameOf('/sensors', body, headers, chunked), 'packed', encoding);
      }
    }
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'x' } })).body.sensor;
    const headers = { 'Content-Encoding': 'gzip' };
    const put = await send(`/sensors/${id}`, { method: 'PUT', body: gzipSync(json), headers, chunked: true });
    assert.deepEqual([put.status, put.body.sensor.name], [200, 'packed']);
    const form = await send('/sensors', {
      body: gzipSync('sensor[name]=f'),
      headers: { ...headers, 'Content-Type': FORM },
    });
    assert.equal(form.body.sensor.name, 'f');
  });

  it('a compressed body that is broken, cut off or none at all is an input error', async () => {
    const whole = gzipSync(JSON.stringify({ sensor: { name: 'packed' } }));
    for (const body of [Buffer.from('no gzip at all'), whole.subarray(0, whole.length - 9), whole.subarray(0, 12)]) {
      const answer = await send('/sensors', { body, headers: { 'Content-Encoding': 'gzip' } });
      assert.deepEqual([answer.status, answer.body.code], [400, 'broken_encoding']);
    }
    assert.equal((await send('/sensors', { body: '', headers: { 'Content-Encoding': 'gzip' } })).status, 400);
  });

  it('an unknown encoding is refused with 415', async () => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip']) {
      const answer = await send('/sensors', { body: 'x', headers: { 'Content-Encoding': encoding } });
      assert.deepEqual([answer.status, answer.body.code], [415, 'unreadable_encoding']);
    }
  });

  it('a body over 10 MB is refused with 413: with a length, chunked, or only after unpacking', async () => {
    const large = Buffer.alloc(10 * MB + 1, ' ');
    const bomb = gzipSync(Buffer.alloc(200 * MB));
    for (const request of [
      { body: large },
      { body: large, chunked: true },
      { body: bomb, headers: { 'Content-Encoding': 'gzip' } },
      { body: bomb, headers: { 'Content-Encoding': 'gzip' }, chunked: true },
    ]) {
      const answer = await send('/sensors', request);
      assert.deepEqual([answer.status, answer.body.code], [413, 'too_large']);
    }
    const allowed = `{"sensor":{"name":"large"}}${' '.repeat(9 * MB)}`;
    assert.equal(await nameOf('/sensors', allowed), 'large');
    assert.equal(await nameOf('/sensors', gzipSync(allowed), { 'Content-Encoding': 'gzip' }), 'large');
  });

  it('keys that would change prototypes change nothing, however they are spelt', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__', 'constructor']) {
      const json = `{"${key}":{"polluted":1},"sensor":{"name":"lamp","${key}":{"display_name":"polluted"}}}`;
      const answer = await send('/sensors', { body: json });
      assert.deepEqual([answer.status, answer.body.sensor.display_name], [201, '']);
    }
    assert.ok(!('polluted' in {}));
    assert.equal(await nameOf('/sensors', '__proto__[x]=1&sensor[name]=form', { 'Content-Type': FORM }), 'form');
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { type RawRequest, rawRequest } from '../../support/raw-request';

const FORM = 'application/x-www-form-urlencoded';
const MB = 1024 * 1024;

describe('request bodies', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const send = async (path: string, request: RawRequest) => {
    const headers = { 'X-SESSION_ID': user.session, ...request.headers };
    const response = await rawRequest(platform.url, path, { method: 'POST', ...request, headers });
    return { status: response.status, body: JSON.parse(response.text) };
  };
  const nameOf = async (path: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}, chunked = false) => {
    const response = await send(path, { body, headers, chunked });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.sensor.name;
  };

  it('of a path that ends in .json are read as JSON whatever the content type, even without one', async () => {
    const json = '{"sensor":{"name":"lamp é"}}';
    const types = [FORM, 'text/plain', 'application/octet-stream', 'multipart/form-data', 'x', 'application/json'];
    for (const type of types) assert.equal(await nameOf('/sensors.json', json, { 'Content-Type': type }), 'lamp é');
    assert.equal(await nameOf('/sensors.json', json), 'lamp é');
  });

  it('of a path that ends in .json are read as a form when they are labelled as one and are not JSON', async () => {
    assert.equal(await nameOf('/sensors.json', 'sensor[name]=lamp', { 'Content-Type': FORM }), 'lamp');
    const broken = await send('/sensors.json', { body: '{"sensor":', headers: { 'Content-Type': FORM } });
    assert.deepEqual([broken.status, broken.body.code], [400, 'unparsable_json']);
  });

  it('are read the same with and without the suffix .json, on any method and with a query', async () => {
    const id = await buildSensor(user);
    assert.equal((await user.api.get(`/sensors/${id}.json`)).body.sensor.id, id);
    assert.equal((await user.api.get('/sensors.json?per_page=1')).body.sensors.length, 1);
    assert.equal((await user.api.put(`/sensors/${id}.json`, { sensor: { name: 'new' } })).body.sensor.name, 'new');
    assert.deepEqual((await user.api.delete(`/sensors/${id}.json`)).body, {});
    assert.equal((await user.api.get(`/sensors/${id}.json`)).status, 404);
  });

  it('are decoded by the charset in their content type', async () => {
    const json = '{"sensor":{"name":"Küche"}}';
    const sent: [string | Buffer, string][] = [
      [json, 'application/json; charset=utf-8'],
      [json, 'application/json;charset="UTF8"'],
      [`\ufeff${json}`, 'application/json'],
      [Buffer.from(json, 'latin1'), 'application/json; charset=ISO-8859-1'],
      [Buffer.from(json, 'latin1'), 'application/json; charset=windows-1252'],
    ];
    for (const [body, type] of sent) assert.equal(await nameOf('/sensors', body, { 'Content-Type': type }), 'Küche');
    for (const charset of ['x', 'utf-16le']) {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      const { status, body } = await send('/sensors', { body: json, headers });
      assert.deepEqual([status, body.code], [415, 'unreadable_charset'], charset);
    }
  });

  it('that are forms may have bracket names, escapes and plus signs', async () => {
    const header = { 'Content-Type': `${FORM}; charset=utf-8` };
    assert.equal(await nameOf('/sensors', 'sensor[name]=a+b%20%C3%A9&sensor[id]=5', header), 'a b é');
    assert.equal(await nameOf('/sensors', 'sensor%5Bname%5D=lamp', header), 'lamp');
  });

  it('of a POST may be a form or JSON, and take precedence over parameters in the query', async () => {
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

  it('may carry the session as a parameter', async () => {
    const session = `session_id=${user.session}`;
    const ways: RawRequest[] = [
      { body: `${session}&sensor[name]=lamp`, headers: { 'Content-Type': FORM } },
      { body: JSON.stringify({ session_id: user.session, sensor: { name: 'lamp' } }) },
    ];
    for (const way of ways) {
      const response = await rawRequest(platform.url, '/sensors', { method: 'POST', ...way });
      assert.equal(response.status, 201);
      assert.ok(!response.text.includes(user.session));
    }
    assert.equal((await rawRequest(platform.url, '/sensors', { method: 'POST', body: '{}' })).status, 401);
  });

  it('that are not valid JSON are refused with 400, and those of another media type with 415', async () => {
    const bad = await send('/sensors', { body: '{"sensor":oops}', headers: { 'Content-Type': 'application/json' } });
    assert.deepEqual([bad.status, bad.body.code], [400, 'unparsable_json']);
    assert.match((await send('/sensors', { body: '{"sensor" 5}' })).body.error, /at position 10: a colon is expected$/);
    for (const body of ['[]', '5', 'null', '"x"']) {
      assert.equal((await send('/sensors', { body })).status, 400, body);
    }
    const type = 'multipart/form-data; boundary=x';
    const multipart = await send('/sensors', { body: '--x\r\n\r\n--x--', headers: { 'Content-Type': type } });
    assert.deepEqual([multipart.status, multipart.body.code], [415, 'unreadable_type']);
  });

  it('may be compressed, with a length or chunked, on POST and PUT', async () => {
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
    const id = await buildSensor(user);
    const headers = { 'Content-Encoding': 'gzip' };
    const put = await send(`/sensors/${id}`, { method: 'PUT', body: gzipSync(json), headers, chunked: true });
    assert.deepEqual([put.status, put.body.sensor.name], [200, 'packed']);
    const form = await send('/sensors', {
      body: gzipSync('sensor[name]=f'),
      headers: { ...headers, 'Content-Type': FORM },
    });
    assert.equal(form.body.sensor.name, 'f');
  });

  it('that are compressed but broken, truncated or empty are an input error', async () => {
    const whole = gzipSync(JSON.stringify({ sensor: { name: 'packed' } }));
    for (const body of [Buffer.from('no gzip at all'), whole.subarray(0, whole.length - 9), whole.subarray(0, 12)]) {
      const response = await send('/sensors', { body, headers: { 'Content-Encoding': 'gzip' } });
      assert.deepEqual([response.status, response.body.code], [400, 'broken_encoding']);
    }
    assert.equal((await send('/sensors', { body: '', headers: { 'Content-Encoding': 'gzip' } })).status, 400);
  });

  it('in an unknown encoding are refused with 415', async () => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip']) {
      const response = await send('/sensors', { body: 'x', headers: { 'Content-Encoding': encoding } });
      assert.deepEqual([response.status, response.body.code], [415, 'unreadable_encoding']);
    }
  });

  it('over 10 MB are refused with 413: with a length, chunked, or after decompression', async () => {
    const large = Buffer.alloc(10 * MB + 1, ' ');
    const bomb = gzipSync(Buffer.alloc(200 * MB));
    for (const request of [
      { body: large },
      { body: large, chunked: true },
      { body: bomb, headers: { 'Content-Encoding': 'gzip' } },
      { body: bomb, headers: { 'Content-Encoding': 'gzip' }, chunked: true },
    ]) {
      const response = await send('/sensors', request);
      assert.deepEqual([response.status, response.body.code], [413, 'too_large']);
    }
    const allowed = `{"sensor":{"name":"large"}}${' '.repeat(9 * MB)}`;
    assert.equal(await nameOf('/sensors', allowed), 'large');
    const noise = `{"sensor":{"name":"noise"},"padding":"${randomBytes(4 * MB).toString('hex')}"}`;
    assert.equal(await nameOf('/sensors', gzipSync(noise), { 'Content-Encoding': 'gzip' }), 'noise');
  });

  it('that unpack to more than 200 times their size are refused with 413, small ones aside', async () => {
    const encoded = { headers: { 'Content-Encoding': 'gzip' } };
    const spaces = (count: number) => gzipSync(`{"sensor":{"name":"packed"}}${' '.repeat(count)}`);
    const refused = await send('/sensors', { ...encoded, body: spaces(9 * MB) });
    assert.deepEqual([refused.status, refused.body.code], [413, 'too_large']);
    assert.equal((await send('/sensors', { ...encoded, body: spaces(60_000) })).status, 201);
  });

  it('cannot change prototypes by their keys, however those are spelt', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__', 'constructor']) {
      const json = `{"${key}":{"polluted":1},"sensor":{"name":"lamp","${key}":{"display_name":"polluted"}}}`;
      const response = await send('/sensors', { body: json });
      assert.deepEqual([response.status, response.body.sensor.display_name], [201, '']);
    }
    assert.ok(!('polluted' in {}));
    assert.equal(await nameOf('/sensors', '__proto__[x]=1&sensor[name]=form', { 'Content-Type': FORM }), 'form');
  });
});

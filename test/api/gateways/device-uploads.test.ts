import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { type RawRequest, rawRequest } from '../../support/raw-request';
import { sendAndCompare } from '../../support/upload-ways';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const POINT = '{"value":1,"date":1}';
const LARGE = `{"data":[${Array.from({ length: 4_000 }, (_, date) => `{"value":1,"date":${date}}`).join()}]}`;

type Expected = [path: string, request: RawRequest, status: number, code?: string];

describe('an upload of a device gets the response that a page gets', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);
  let sensorId: string;
  let path: string;

  before(async () => {
    sensorId = await buildSensor(user);
    path = `/sensors/${sensorId}/data`;
  });

  const compare = async (given: readonly Expected[], session = user.session) => {
    for (const [at, request, status, code] of given) {
      const headers = { 'X-SESSION_ID': session, ...JSON_TYPE, ...request.headers };
      const response = await sendAndCompare(platform.url, at, { ...request, headers });
      const what = `${at} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 80)}`;
      assert.deepEqual([response.status, Object(response.body).code], [status, code], what);
    }
  };

  it('when it is stored, whatever its label', async () => {
    const latin = Buffer.from('{"value":"é"}', 'latin1');
    const sensors = `{"sensors":[{"sensor_id":${sensorId},"data":${POINT}}]}`;
    await compare([
      [path, { body: POINT }, 201],
      [`${path}.json`, { body: POINT }, 201],
      [`${path}.json`, { body: POINT, headers: FORM }, 201],
      [`${path}.json`, { body: 'value=1', headers: FORM }, 201],
      [`${path}.json`, { body: POINT, headers: { 'Content-Type': 'multipart/form-data' } }, 201],
      [path, { body: latin, headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } }, 201],
      [path, { body: `\ufeff${POINT}` }, 201],
      [path, { body: POINT, headers: { Cookie: 'session_id=other', Accept: 'text/html', Connection: 'close' } }, 201],
      [path, { body: POINT, headers: { 'Accept-Encoding': 'gzip', 'X-Forwarded-For': '192.0.2.1' } }, 201],
      [path, { body: LARGE }, 201],
      ['/sensors/data', { body: sensors }, 201],
      ['/sensors/data.json', { body: sensors, headers: FORM }, 201],
    ]);
  });

  it('when its body is wrong', async () => {
    await compare([
      ...['{"value":', '', '  ', '5', 'null', '[]', '"x"', '{"data":[]}', '{"__proto__":{"value":1}}'].map(
        (body): Expected => [path, { body }, 400, body === '{"value":' ? 'unparsable_json' : 'invalid_input'],
      ),
      [path, { body: '['.repeat(200) }, 400, 'too_complex'],
      [path, { body: POINT, headers: { 'Content-Type': 'application/json; charset=x' } }, 415, 'unreadable_charset'],
      [`${path}.json`, { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } }, 415, 'unreadable_type'],
      [path, { body: '{}', headers: { 'Content-Length': 20_000_000, Connection: 'close' } }, 413, 'too_large'],
      ['/sensors/data', { body: POINT }, 400, 'invalid_input'],
      ['/sensors/data', { body: '{"sensors":[{"sensor_id":"x","value":1}]}' }, 400, 'invalid_input'],
    ]);
  });

  it('when its sensor is not the caller’s, or is none', async () => {
    await share(user, sensorId, friend);
    const body = POINT;
    await compare([[path, { body }, 403, 'forbidden']], friend.session);
    await compare([
      ['/sensors/99999999/data', { body }, 404, 'not_found'],
      ['/sensors/0/data', { body }, 404, 'not_found'],
      [`/sensors/${'9'.repeat(30)}/data`, { body }, 404, 'not_found'],
      ['/sensors/data', { body: `{"sensors":[{"sensor_id":99999999,"data":${POINT}}]}` }, 404, 'not_found'],
    ]);
  });

  it('when its session is unknown, and when the body comes with conventions of its own', async () => {
    const unknown = { 'X-SESSION_ID': 'x'.repeat(27) };
    await compare([
      [path, { body: POINT, headers: unknown }, 401, 'no_session'],
      [path, { body: POINT, headers: { 'X-SESSION_ID': 'short' } }, 401, 'no_session'],
      [path, { body: '{"_METHOD":"PUT"}' }, 405, 'wrong_method'],
      [path, { body: '{"_METHOD":5,"value":1}' }, 201],
      ['/sensors/data', { body: '{"_METHOD":"DELETE"}' }, 404, 'not_found'],
      [path, { body: `{"session_id":"x","value":1}` }, 201],
    ]);
    const large = await sendAndCompare(platform.url, path, { body: LARGE, headers: unknown });
    assert.equal(large.status, 413);
    const body = '{"value":';
    assert.equal((await sendAndCompare(platform.url, path, { body, headers: unknown })).status, 400);
  });

  it('but for headers that only pages need: a device pays for each byte', async () => {
    const headers = { ...JSON_TYPE, 'X-SESSION_ID': user.session, Connection: 'keep-alive' };
    for (const [body, status] of [
      [POINT, 201],
      ['{', 400],
    ] as const) {
      const { rawHeaders, ...response } = await rawRequest(platform.url, path, { method: 'POST', body, headers });
      assert.equal(response.status, status);
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      const expected = ['X-Request-Id', 'Cache-Control', 'Content-Type', 'Content-Length'];
      assert.deepEqual(names, [...expected, 'Date', 'Connection', 'Keep-Alive']);
      assert.ok(rawHeaders.join(': \r\n').length < 300);
    }
    const ofPage = { ...headers, Origin: 'https://pages.example.org' };
    const byPage = await rawRequest(platform.url, path, { method: 'POST', body: POINT, headers: ofPage });
    assert.equal(byPage.headers['access-control-allow-origin'], '*');
    assert.equal(byPage.headers['x-content-type-options'], 'nosniff');
  });
});

describe('an upload of a device while MySQL is away', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url } }));
  const user = useUser(platform);

  it('gets the response that a page gets, and is stored afterwards', async () => {
    const path = `/sensors/${await buildSensor(user)}/data`;
    const request = { body: POINT, headers: { ...JSON_TYPE, 'X-SESSION_ID': user.session } };
    await mysql.cut();
    const response = await sendAndCompare(platform.url, path, request);
    assert.deepEqual([response.status, response.headers.includes('Retry-After: 5')], [503, true]);
    await mysql.restore();
    assert.equal((await sendAndCompare(platform.url, path, request)).status, 201);
  });
});

import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import openapi from '../../../src/generated/openapi.json';
import { buildSensor, buildTrigger, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { rawExchange, rawRequest } from '../../support/raw-request';

const JSON_TYPE = 'application/json; charset=utf-8';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('responses', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1' } });
  const user = useUser(platform);

  it('are JSON in UTF-8 with snake_case keys, including errors', async () => {
    const id = await buildSensor(user, { name: 'Küche' });
    for (const path of [`/sensors/${id}`, '/users/current', '/sensors', '/nowhere', '/sensors/0', '/openapi.json']) {
      const answer = await user.api.get(path);
      assert.equal(answer.headers.get('content-type'), JSON_TYPE, path);
      assert.equal(answer.headers.get('x-powered-by'), null);
    }
    const { sensor } = (await user.api.get(`/sensors/${id}`)).body;
    for (const key of Object.keys(sensor)) assert.match(key, /^[a-z_]+$/);
  });

  it('to a create are 201 with the absolute Location and the record, to a change the record, to a deletion {}', async () => {
    const made = await user.api.post('/sensors.json', { sensor: { name: 'lamp' } });
    const { id } = made.body.sensor;
    assert.deepEqual([made.status, Object.keys(made.body)], [201, ['sensor']]);
    assert.equal(made.headers.get('location'), `${platform.url}/sensors/${id}`);
    const changed = await user.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
    assert.deepEqual([changed.status, changed.body.sensor], [200, { ...made.body.sensor, name: 'new' }]);
    const deleted = await user.api.delete(`/sensors/${id}`);
    assert.deepEqual([deleted.status, deleted.body], [200, {}]);
  });

  it('name locations by the address that the client used, even behind a proxy', async () => {
    const body = { sensor: { name: 'lamp' } };
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.org' };
    const { headers } = await user.api.post('/sensors', body, proxied);
    assert.match(headers.get('location') ?? '', /^https:\/\/api\.example\.org\/sensors\/\d+$/);
  });

  it('hold ids and values as strings, booleans as booleans and dates as numbers', async () => {
    const id = await buildSensor(user);
    await upload(user, id, { value: 5.5, date: 1.125 });
    const [point] = (await user.api.get(`/sensors/${id}/data`)).body.data;
    assert.deepEqual([point.sensor_id, point.value, point.date], [id, '5.5', 1.125]);
    assert.match(point.id, /^[1-9]\d*$/);
    const { sensor } = (await user.api.get(`/sensors/${id}`)).body;
    assert.deepEqual([sensor.use_data_storage, sensor.data_structure], [true, '']);
    assert.match(`${sensor.type},${sensor.data_type_id}`, /^\d+,\d+$/);
    const { trigger } = (await user.api.post('/triggers', { trigger: { name: 'x', inactivity: 60 } })).body;
    assert.equal(trigger.expression, null);
  });

  it('of lists count pages from 0, limit the page size to 1000 and contain the total on request', async () => {
    const reader = await platform.user();
    for (let made = 0; made < 3; made += 1) await buildTrigger(reader);
    const list = async (query: string) => (await reader.api.get(`/triggers?${query}`)).body;
    const all = (await list('')).triggers.map((trigger: { id: string }) => trigger.id);
    assert.deepEqual(
      all,
      [...all].sort((a, b) => Number(a) - Number(b)),
    );
    assert.deepEqual(
      (await list('per_page=2&page=1')).triggers.map((one: { id: string }) => one.id),
      all.slice(2),
    );
    assert.equal((await list('per_page=1000000')).triggers.length, 3);
    assert.equal((await list('per_page=1&total=1')).total, 3);
    for (const query of ['', 'total=0', 'total=']) assert.ok(!('total' in (await list(query))));
    for (const query of ['page=-1', 'page=0.5', 'per_page=0', 'per_page=x', 'page[]=1', 'page=1e300', 'total=x']) {
      assert.equal((await reader.api.get(`/triggers?${query}`)).status, 400, query);
    }
  });

  it('are compressed on request', async () => {
    for (let made = 0; made < 10; made += 1) await buildSensor(user, { name: `lamp number ${made}` });
    const headers = { 'X-SESSION_ID': user.session, 'Accept-Encoding': 'gzip' };
    const packed = await rawRequest(platform.url, '/sensors', { headers });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.ok(JSON.parse(gunzipSync(packed.bytes).toString()).sensors.length >= 10);
    assert.match(packed.headers.vary ?? '', /Accept-Encoding/i);
    const plain = await rawRequest(platform.url, '/sensors', { headers: { 'X-SESSION_ID': user.session } });
    assert.equal(plain.headers['content-encoding'], undefined);
  });

  it('carry a unique request id, whatever the path and the status', async () => {
    const paths = ['/sensors', '/sensors/0', '/nowhere', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'];
    const seen = new Set<string>();
    for (const path of [...paths, '/admin/queues', '/docs/page.css', '/sensors/%zz']) {
      const id = (await platform.anonymous.get(path, { 'X-Request-Id': 'mine' })).headers.get('x-request-id');
      assert.match(id ?? '', UUID, path);
      seen.add(id ?? '');
    }
    assert.equal(seen.size, paths.length + 3);
  });

  it('are 404 for an unknown path, and 405 with the allowed methods for a wrong one', async () => {
    for (const path of ['/nowhere', '/sensors/1/nowhere', '/docs/nowhere', '/../etc/passwd', '/docs/../app.js']) {
      const answer = await rawRequest(platform.url, path, { headers: { 'X-SESSION_ID': user.session } });
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [404, 'unknown_path'], path);
    }
    for (const method of ['PATCH', 'POST', 'TRACE']) {
      const answer = await rawRequest(platform.url, '/sensors/1', { method });
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [405, 'wrong_method']);
      assert.equal(answer.headers.allow, 'GET, PUT, DELETE');
    }
  });

  it('are 400 for a malformed path', async () => {
    for (const path of ['/sensors/%zz', '/sensors/%E0%A4%A']) {
      const { status, body } = await user.api.get(path);
      assert.deepEqual([status, typeof body.error, body.code], [400, 'string', 'bad_path'], path);
    }
  });

  it('have a body that explains the error even when the request is not valid HTTP', async () => {
    const sent: [string, string, string][] = [
      ['no http at all\r\n\r\n', '400', 'bad_request'],
      ['GET /sensors HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', '400', 'bad_request'],
      [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '431', 'headers_too_large'],
      ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '400', 'bad_request'],
      ['GET /sensors HTTP/1.1\r\nHost: x\r\nExpect: pears\r\nConnection: close\r\n\r\n', '417', 'bad_request'],
    ];
    for (const [text, status, code] of sent) {
      const [head = '', body = ''] = (await rawExchange(platform.url, text)).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, /\r\nX-Request-Id: \S+/);
      assert.equal(JSON.parse(body).code, code);
    }
  });

  it('contain only the request id, which is also logged, when the platform itself fails', async () => {
    const { logger } = platform.container;
    const { sensors } = platform.container.services;
    const logged: unknown[] = [];
    const { error } = logger;
    const { list } = sensors;
    Object.assign(logger, { error: (entry: unknown) => logged.push(entry) });
    Object.assign(sensors, { list: () => Promise.reject(new Error('SELECT secret FROM /etc/passwd')) });
    const answer = await user.api.get('/sensors');
    Object.assign(sensors, { list });
    Object.assign(logger, { error });
    assert.equal(answer.status, 500);
    const requestId = answer.headers.get('x-request-id');
    const expected = { error: 'something went wrong on our side', code: 'internal_error', request_id: requestId };
    assert.deepEqual(answer.body, expected);
    assert.equal(Object(logged[0]).requestId, requestId);
  });

  it('to HEAD equal those to GET, without a body', async () => {
    for (const path of ['/sensors', '/sensors/0', '/nowhere']) {
      const headers = { 'X-SESSION_ID': user.session };
      const [get, head] = [
        await rawRequest(platform.url, path, { headers }),
        await rawRequest(platform.url, path, { method: 'HEAD', headers }),
      ];
      assert.deepEqual([head.status, head.text], [get.status, ''], path);
    }
  });

  it('are never 202 or 204 according to the OpenAPI document', () => {
    for (const operations of Object.values<Record<string, { responses: object }>>(openapi.paths)) {
      for (const { responses } of Object.values(operations)) {
        const success = Object.keys(responses).filter((status) => status.startsWith('2'));
        assert.ok(success.length === 1 && (success[0] === '200' || success[0] === '201'));
      }
    }
  });
});

import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const ORIGIN = 'https://pages.example.org';

describe('pages of other origins', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const list = (text: string | string[] | undefined) =>
    String(text)
      .split(',')
      .map((name) => name.trim().toLowerCase());

  it('may send a preflight request for any path without a session', async () => {
    const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT' };
    for (const path of ['/sensors', '/sensors/5.json?x=1', '/login', '/nowhere']) {
      const { status, headers } = await rawRequest(platform.url, path, { method: 'OPTIONS', headers: preflight });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['access-control-allow-credentials'], undefined);
      for (const method of ['get', 'post', 'put', 'delete']) {
        assert.ok(list(headers['access-control-allow-methods']).includes(method));
      }
      const allowed = list(headers['access-control-allow-headers']);
      assert.deepEqual(allowed, ['x-session_id', 'content-type', 'accept', 'authorization', 'last-event-id']);
    }
  });

  it('may read every response and its headers, including errors', async () => {
    for (const path of ['/sensors', '/sensors/0', '/nowhere', '/docs', '/openapi.json']) {
      const { headers } = await user.api.get(path, { Origin: ORIGIN });
      assert.equal(headers.get('access-control-allow-origin'), '*', path);
      const exposed = list(headers.get('access-control-expose-headers') ?? '');
      for (const name of ['x-session_id', 'location', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        assert.ok(exposed.includes(name), name);
      }
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    }
  });

  it('may use a session that they send in the header', async () => {
    const headers = { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await user.api.post('/sensors', { sensor: { name: 'lamp' } }, headers)).status, 201);
  });

  it('may not change anything with the cookie of a visitor', async () => {
    const cookie = { Cookie: `session_id=${user.session}` };
    const foreign: Record<string, string>[] = [
      { Origin: ORIGIN },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    const body = { sensor: { name: 'planted' } };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const signs of foreign) {
      const headers = { ...cookie, ...signs };
      const responses = [
        await platform.anonymous.post('/sensors', body, headers),
        await platform.anonymous.post('/sensors?_METHOD=DELETE', body, headers),
        await platform.anonymous.post('/users/1', '_METHOD=DELETE', { ...headers, ...form }),
        await platform.anonymous.put('/sensors/1', body, headers),
        await platform.anonymous.delete(`/users/${user.id}`, undefined, headers),
      ];
      for (const response of responses.filter((one) => one.status !== 405)) {
        assert.deepEqual([response.status, response.body.code], [403, 'foreign_page'], JSON.stringify(signs));
      }
      assert.equal((await platform.anonymous.get('/sensors', headers)).status, 200);
    }
    const names = (await user.api.get('/sensors')).body.sensors.map((sensor: { name: string }) => sensor.name);
    assert.ok(!names.includes('planted'));
  });

  it('are restricted, unlike pages of the own origin, which may use the cookie', async () => {
    const body = { sensor: { name: 'own page' } };
    const signsOfOwn: Record<string, string>[] = [
      {},
      { Origin: platform.url },
      { 'Sec-Fetch-Site': 'same-origin', Origin: platform.url },
    ];
    for (const signs of signsOfOwn) {
      const headers = { Cookie: `session_id=${user.session}`, ...signs };
      assert.equal((await platform.anonymous.post('/sensors', body, headers)).status, 201, JSON.stringify(signs));
    }
  });
});

import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUser } from '../../support/hooks';
import { OAuth2Flow } from '../../support/oauth2';
import { rawRequest } from '../../support/raw-request';

const ENDPOINTS = ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('errors of the endpoints of OAuth 2', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('have the shape of RFC 6749 and are kept nowhere, also when the body cannot be read', async () => {
    const basic = new OAuth2Flow(platform, await registerApplication(user)).basic();
    const cases: [string, string, OutgoingHttpHeaders, string | undefined, number][] = [
      ['no JSON', 'POST', JSON_TYPE, '{', 400],
      ['another type', 'POST', { 'Content-Type': 'text/xml' }, '<token/>', 400],
      ['a body that is not compressed', 'POST', { ...FORM, 'Content-Encoding': 'gzip' }, 'token=x', 400],
      ['an unknown encoding', 'POST', { ...FORM, 'Content-Encoding': 'zstd' }, 'token=x', 415],
      ['a large body', 'POST', { ...FORM, ...basic }, `token=${'x'.repeat(100_000)}`, 413],
      ['nothing', 'POST', basic, undefined, 400],
      ['another method', 'GET', basic, undefined, 405],
      ['a method in the query', 'PUT', basic, undefined, 405],
    ];
    for (const path of ENDPOINTS) {
      for (const [what, method, headers, body, status] of cases) {
        const response = await rawRequest(platform.url, path, { method, headers, body });
        const { error, error_description, ...more } = JSON.parse(response.text);
        assert.deepEqual([response.status, error, more], [status, 'invalid_request', {}], `${path}: ${what}`);
        assert.match(error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
        assert.equal(response.headers['cache-control'], 'no-store');
        if (status === 405) assert.equal(response.headers.allow, 'POST');
      }
    }
  });

  it('say when to try again while the database is away', async () => {
    const { oauth2TokenStatus } = platform.container.services;
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    const { find } = oauth2TokenStatus;
    oauth2TokenStatus.find = () => Promise.reject(Object.assign(new Error('planted'), { code: 'ECONNREFUSED' }));
    const { status, body, headers } = await flow.request('/oauth2/introspect', { token: 'x' });
    Object.assign(oauth2TokenStatus, { find });
    assert.deepEqual([status, body.error], [503, 'temporarily_unavailable']);
    assert.ok(Number(headers['retry-after']) > 0);
  });

  it('are internal ones with the id that the log has', async () => {
    const { oauth2TokenStatus } = platform.container.services;
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    const { find } = oauth2TokenStatus;
    oauth2TokenStatus.find = () => Promise.reject(new Error('planted'));
    const { status, body, headers } = await flow.request('/oauth2/introspect', { token: 'x' });
    Object.assign(oauth2TokenStatus, { find });
    assert.deepEqual([status, body.error], [500, 'server_error']);
    assert.equal(body.request_id, headers['x-request-id']);
    assert.ok(!JSON.stringify(body).includes('planted'));
  });

  it('name the methods of all paths of both protocols', async () => {
    for (const [path, allowed] of [
      ['/oauth2/authorize', 'GET, POST'],
      ['/oauth/authorize', 'GET, POST'],
      ['/oauth/provider_authorize', 'POST'],
      ['/oauth/login', 'POST'],
      ['/oauth/logout', 'POST'],
      ['/.well-known/oauth-authorization-server', 'GET'],
    ] as const) {
      const { status, body, headers } = await platform.anonymous.delete(path);
      assert.deepEqual([status, body.code, headers.get('allow')], [405, 'wrong_method', allowed], path);
    }
  });
});

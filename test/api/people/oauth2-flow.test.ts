import assert from 'node:assert/strict';
import { CALLBACK, registerApplication } from '../../support/applications';
import { buildSensor } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow, pkce, statusWith } from '../../support/oauth2';

describe('the flow of OAuth 2', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const developer = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const build = async (fields: Record<string, unknown> = {}) =>
    new OAuth2Flow(platform, await registerApplication(developer, fields));

  it('leads from the consent to access with the scopes that were allowed, and returns the state', async () => {
    const flow = await build();
    const state = 'a b&c=d/é?';
    const back = await flow.decide(user, flow.address({ state, scope: 'data:write read' }));
    assert.deepEqual([back.get('state'), back.get('iss')], [state, platform.url]);
    const { status, body, headers } = await flow.exchange(back.get('code') ?? '');
    assert.equal(status, 200);
    assert.match(body.access_token, /^oat_[0-9A-Za-z]{43}$/);
    assert.match(body.refresh_token, /^ort_[0-9A-Za-z]{43}$/);
    const { access_token, refresh_token, ...rest } = body;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'read data:write' });
    assert.deepEqual([headers['cache-control'], headers.pragma], ['no-store', 'no-cache']);
    const id = await buildSensor(user);
    const point = { method: 'POST', body: '{"data":{"value":1}}' };
    assert.equal(await statusWith(platform, access_token), 200);
    assert.equal(await statusWith(platform, access_token, `/sensors/${id}/data`, point), 201);
    const change = { method: 'PUT', body: '{"sensor":{"name":"x"}}' };
    assert.equal(await statusWith(platform, access_token, `/sensors/${id}`, change), 403);
    for (const path of ['/oauth/applications', '/oauth/authorizations']) {
      assert.equal(await statusWith(platform, access_token, path), 403, path);
    }
    assert.equal(await statusWith(platform, refresh_token), 401, 'a refresh token gives no access');
  });

  it('asks for no more than read without a scope, and keeps the parameters of the callback', async () => {
    const redirect_uri = 'https://weather.example.org/allowed?place=roof';
    const flow = await build({ callback_url: [redirect_uri, CALLBACK] });
    const back = await flow.decide(user, flow.address({ redirect_uri, state: undefined }));
    assert.deepEqual([back.get('place'), back.has('state')], ['roof', false]);
    const { body } = await flow.exchange(back.get('code') ?? '', { redirect_uri });
    assert.equal(body.scope, 'read');
    const denied = await flow.decide(user, flow.address({ redirect_uri }), 'DENY');
    assert.deepEqual([denied.get('place'), denied.get('error'), denied.get('state')], ['roof', 'access_denied', 'xyz']);
  });

  it('asks for the login on the address that was opened, also with .json at the end of its path', async () => {
    const flow = await build();
    const address = flow.address();
    for (const opened of [address, address.replace('authorize?', 'authorize.json?'), `/${address}`]) {
      const { status, text } = await flow.open(undefined, opened);
      assert.equal(status, 200);
      assert.ok(text.includes(`name="next" value="${address.replaceAll('&', '&amp;')}"`), text);
    }
    const code = await flow.decide(user, address.replace('authorize?', 'authorize.json?'));
    assert.equal((await flow.exchange(code.get('code') ?? '')).status, 200);
  });

  it('takes the only callback where none is named', async () => {
    const flow = await build();
    const code = await flow.code(user, { redirect_uri: undefined });
    const form = { grant_type: 'authorization_code', code };
    assert.equal((await flow.request('/oauth2/token', form)).status, 200);
  });

  it('works without a secret and with PKCE in browsers and on devices', async () => {
    for (const [type, redirect_uri] of [
      ['browser', CALLBACK],
      ['native', 'org.example.weather:/allowed'],
    ] as const) {
      const flow = await build({ type, callback_url: redirect_uri });
      const { verifier, challenge } = pkce();
      const code = await flow.code(user, { redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' });
      const client_id = flow.application.consumer_key;
      const { status, body } = await flow.exchange(code, { redirect_uri, code_verifier: verifier, client_id }, {});
      assert.equal(status, 200, type);
      assert.equal(await statusWith(platform, body.access_token), 200);
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id };
      assert.equal((await flow.request('/oauth2/token', form, {})).status, 200);
    }
  });

  it('takes the secret in the body as well', async () => {
    const flow = await build();
    const { consumer_key: client_id, consumer_secret: client_secret } = flow.application;
    const { status } = await flow.exchange(await flow.code(user), { client_id, client_secret }, {});
    assert.equal(status, 200);
  });

  it('rotates refresh tokens, and lets access tokens end after an hour', async () => {
    const flow = await build();
    const first = await flow.tokens(user, { scope: 'read write' });
    clock.advance(3_600_000);
    assert.equal(await statusWith(platform, first.access_token), 401);
    const second = (await flow.refresh(first.refresh_token, { scope: 'read' })).body;
    assert.equal(second.scope, 'read');
    const third = (await flow.refresh(second.refresh_token)).body;
    assert.equal(third.scope, 'read write', 'a narrower access token does not narrow the next one');
    assert.equal(await statusWith(platform, third.access_token), 200);
    const wider = await flow.tokens(user);
    const refused = await flow.refresh(wider.refresh_token, { scope: 'write' });
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_scope']);
    assert.equal((await flow.refresh(wider.refresh_token)).status, 200, 'a refused scope uses nothing up');
    clock.advance(90 * 86_400_000);
    assert.equal((await flow.refresh(third.refresh_token)).body.error, 'invalid_grant');
  });

  it('gives a service access to the account of its owner, without a refresh token', async () => {
    const flow = await build({ type: 'service', callback_url: undefined });
    const { status, body } = await flow.request('/oauth2/token', {
      grant_type: 'client_credentials',
      scope: 'read write',
    });
    assert.deepEqual([status, body.scope, body.refresh_token], [200, 'read write', undefined]);
    const me = await statusWith(platform, body.access_token, '/users/current');
    assert.equal(me, 200);
    const id = await buildSensor(developer);
    assert.equal(await statusWith(platform, body.access_token, `/sensors/${id}`), 200);
    assert.equal(await statusWith(platform, body.access_token, `/sensors/${await buildSensor(user)}`), 404);
    clock.advance(3_600_000);
    assert.equal(await statusWith(platform, body.access_token, `/sensors/${id}`), 401);
  });

  it('is described where programs look for it', async () => {
    const { body } = await platform.anonymous.get('/.well-known/oauth-authorization-server');
    assert.equal(body.issuer, platform.url);
    assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
    assert.deepEqual(body.response_types_supported, ['code']);
    for (const name of ['token', 'revocation', 'introspection']) {
      const { pathname } = new URL(body[`${name}_endpoint`]);
      assert.equal((await platform.anonymous.get(pathname)).status, 405, pathname);
      assert.equal((await platform.anonymous.post(pathname)).status, 401, pathname);
    }
    assert.equal((await platform.anonymous.get(new URL(body.authorization_endpoint).pathname)).status, 400);
  });
});

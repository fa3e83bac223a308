import assert from 'node:assert/strict';
import { readConfig } from '../../../src/platform/config';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';
import { LoginBrowser } from '../../support/login-browser';
import type { Platform } from '../../support/platform';

const SETTINGS = { OIDC_CREATE_USERS: 'true', REQUIRE_SECOND_FACTOR: 'all' };

/** A session that an identity opened, with its browser. */
async function logIn(
  platform: Platform,
  provider: { issuer: string },
  { browser = new LoginBrowser(), query = '' } = {},
) {
  const login = await BegunLogin.at(platform.url, provider, { browser, query });
  const { status, location, text } = await login.finish();
  assert.equal(status, 303, text);
  const session = login.session(platform.url) ?? '';
  const headers = { 'X-SESSION_ID': session };
  return { browser, location, session, headers, get: (path: string) => platform.anonymous.get(path, headers) };
}

describe('a required second factor, and a provider that does not vouch for it', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings(SETTINGS) }));

  it('is set up here by an account of the provider, too', async () => {
    const { get } = await logIn(platform, provider);
    assert.equal((await get('/sensors')).body.code, 'second_factor_missing');
    for (const path of ['/second_factors', '/identities']) assert.equal((await get(path)).status, 200, path);
  });
});

describe('a required second factor, and a provider that vouches for it', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings({ ...SETTINGS, OIDC_SECOND_FACTOR: 'provider' }) }));
  beforeEach(() => provider.forge({}));

  it('is not asked of its sessions, and is asked of those by password', async () => {
    provider.forge({ said: { sub: 'vouched', preferred_username: 'vouched' } });
    const { get, headers } = await logIn(platform, provider);
    assert.equal((await get('/sensors')).status, 200);
    const { user } = (await get('/users/current')).body;
    const password = 'ab'.repeat(16);
    const chosen = await platform.anonymous.put(`/users/${user.id}`, { user: { password } }, headers);
    assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
    const byPassword = await platform.anonymous.post('/login', { username: user.username, password });
    const other = { 'X-SESSION_ID': byPassword.body.session_id };
    assert.equal((await platform.anonymous.get('/sensors', other)).body.code, 'second_factor_missing');
    assert.equal((await platform.anonymous.post('/login/oidc/link', {}, other)).body.code, 'second_factor_missing');
  });

  it('is not kept from its login by a browser whose session lacks a factor, or whose account is disabled', async () => {
    for (const isDisabled of [false, true]) {
      const user = await platform.user();
      if (isDisabled) await platform.container.services.disabledAccounts.disable(Number(user.id));
      const browser = new LoginBrowser();
      browser.setCookie(platform.url, 'session_id', user.session);
      const { get } = await logIn(platform, provider, { browser });
      assert.equal((await get('/sensors')).status, 200);
    }
  });

  it('is asked again once the identity is unlinked, or belongs to a former provider', async () => {
    provider.forge({ said: { sub: 'former' } });
    const { get } = await logIn(platform, provider);
    assert.equal((await get('/sensors')).status, 200);
    await platform.query("UPDATE identities SET issuer = 'https://former.example' WHERE subject = 'former'");
    assert.equal((await get('/sensors')).status, 403);
    await platform.query('UPDATE identities SET issuer = ? WHERE subject = ?', [provider.issuer, 'former']);
    assert.equal((await get('/sensors')).status, 200);
    await platform.query("DELETE FROM identities WHERE subject = 'former'");
    assert.equal((await get('/sensors')).status, 403);
  });

  it('needs a provider', () => {
    const servers = { MYSQL_URL: 'mysql://a/b', REDIS_URL: 'redis://a' };
    assert.throws(
      () => readConfig({ ...servers, OIDC_SECOND_FACTOR: 'provider' }),
      /OIDC_ISSUER: is required with OIDC_SECOND_FACTOR=provider/,
    );
    assert.throws(
      () => readConfig({ ...servers, ...provider.settings({ OIDC_ISSUER: 'http://login.example.org' }) }),
      /OIDC_ISSUER: must be a URL that begins with https:\/\/, or with http:\/\/ for this machine, without a query/,
    );
  });
});

describe('a required second factor of operators, and a provider that vouches for it', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const settings = { REQUIRE_SECOND_FACTOR: 'operators', OPERATOR_ACCOUNTS: '1', OIDC_OPERATORS: 'sub:1084' };
  const platform = usePlatform(() => ({ config: provider.settings({ ...settings, OIDC_SECOND_FACTOR: 'provider' }) }));

  it('needs no account of operators that it has signed in, and one of those by password', async () => {
    provider.forge({ said: { sub: '1084' } });
    const { browser } = await logIn(platform, provider, { query: '?return_to=/admin' });
    for (const path of ['/admin', '/admin/queues']) {
      assert.equal((await browser.open(platform.url + path)).status, 200, path);
      const basic = `Basic ${Buffer.from('operator:board-password').toString('base64')}`;
      assert.equal((await platform.anonymous.get(path, { Authorization: basic })).status, 403, path);
    }
  });
});

import assert from 'node:assert/strict';
import { BegunLogin, type Forgery, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';
import { CLIENT } from '../../support/identity-provider';
import { LoginBrowser } from '../../support/login-browser';

const OTHER_ISSUER = 'https://login.example.net';
const now = () => Math.floor(Date.now() / 1000);

/** ID tokens that no honest provider signs for this login. */
const FORGERIES: Readonly<Record<string, Forgery>> = {
  'without a signature (alg: none)': { alg: 'none' },
  'signed with the secret of the client': { alg: 'HS256' },
  'signed with another key': { isOtherKey: true },
  'of another issuer': { said: { iss: OTHER_ISSUER } },
  'for another client': { said: { aud: 'another' } },
  'for several clients, given to another': { said: { aud: [CLIENT.id, 'another'], azp: 'another' } },
  'with the nonce of another login': { said: { nonce: 'another' } },
  'without a nonce': { said: { nonce: undefined } },
  'that has expired two minutes ago': { said: { exp: now() - 120 } },
  'without an end': { said: { exp: undefined } },
  'without a subject': { said: { sub: undefined } },
  'with an empty subject': { said: { sub: '' } },
  'with a subject that MySQL takes for another': { said: { sub: 'somebody ' } },
};

/** Where a login must not lead. */
const FOREIGN_PAGES = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/console/\\evil.example',
  '/console@evil.example',
  '/console/%0d%0aSet-Cookie:a=b\r\nSet-Cookie: a=b',
  'javascript:alert(1)',
  '/users/current',
  '.evil.example/console/',
];

describe('an attacker of logins by an identity provider', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings({ OIDC_CREATE_USERS: 'true' }) }));
  const begin = (query = '') => BegunLogin.at(platform.url, provider, { query });
  const usernameOf = async (login: BegunLogin) => {
    const session = login.session(platform.url) ?? assert.fail('no session');
    const { body } = await platform.anonymous.get('/users/current', { 'X-SESSION_ID': session });
    return body.user;
  };

  beforeEach(() => provider.forge({}));

  it('gets nowhere by a token that is not the answer to the login', async () => {
    const honest = await begin();
    assert.equal((await honest.finish()).status, 303);
    assert.ok(honest.session(platform.url));
    for (const [name, forgery] of Object.entries(FORGERIES)) {
      provider.forge(forgery);
      const login = await begin();
      const { status, text } = await login.finish();
      assert.equal(status, 400, `a token ${name} answers ${status}`);
      assert.match(text, /The answer of the identity provider is not valid for this login/);
      assert.equal(login.session(platform.url), undefined, name);
    }
  });

  it('cannot mix up providers: the answer names the issuer', async () => {
    for (const iss of [OTHER_ISSUER, null]) {
      const login = await begin();
      if (iss === null) login.answer.searchParams.delete('iss');
      else login.answer.searchParams.set('iss', iss);
      const before = provider.exchanges;
      assert.equal((await login.finish()).status, 400);
      assert.equal(provider.exchanges, before, 'the code goes to no provider');
    }
  });

  it('cannot log another browser in: the state belongs to the one that began', async () => {
    const login = await begin();
    const victim = new LoginBrowser();
    assert.equal((await login.finish(victim)).status, 400);
    const begun = await begin();
    assert.equal((await login.finish(begun.browser)).status, 400, 'nor one with a login of its own');
    assert.equal(begun.session(platform.url), undefined);
    const doubled = await begin();
    doubled.answer.searchParams.append('state', 'another');
    assert.equal((await doubled.finish()).status, 400);
    const codes = await begin();
    codes.answer.searchParams.append('code', 'another');
    assert.equal((await codes.finish()).status, 400);
  });

  it('cannot replay an answer, not even with the cookie of the login', async () => {
    const login = await begin();
    const cookie = login.browser.cookie(platform.url, 'oidc_login') ?? '';
    assert.equal((await login.finish()).status, 303);
    assert.equal((await login.finish()).status, 400, 'the cookie is gone');
    login.browser.setCookie(platform.url, 'oidc_login', cookie);
    const before = provider.exchanges;
    assert.equal((await login.finish()).status, 400, 'the state is used');
    assert.equal(provider.exchanges, before);
  });

  it('cannot write the cookie of a login', async () => {
    const login = await begin();
    const cookie = login.browser.cookie(platform.url, 'oidc_login') ?? '';
    const letter = cookie.startsWith('A') ? 'B' : 'A';
    login.browser.setCookie(platform.url, 'oidc_login', letter + cookie.slice(1));
    assert.equal((await login.finish()).status, 400);
    assert.doesNotMatch(Buffer.from(cookie, 'base64url').toString('latin1'), /nonce|verifier/);
  });

  it('gets no account by its mail address, verified or not', async () => {
    const owner = await platform.user();
    for (const email_verified of [true, false]) {
      const email = `${owner.username}@example.org`;
      provider.forge({
        said: { sub: `attacker-${email_verified}`, email, email_verified, preferred_username: owner.username },
      });
      const login = await begin();
      assert.equal((await login.finish()).status, 303);
      const user = await usernameOf(login);
      assert.notEqual(user.id, owner.id);
      assert.notEqual(user.username, owner.username);
      assert.equal(user.email, email_verified ? email : '');
    }
  });

  it('cannot lead a login to another site', async () => {
    for (const page of FOREIGN_PAGES) {
      const login = await begin(`?return_to=${encodeURIComponent(page)}`);
      assert.equal((await login.finish()).location, `${platform.url}/console/`, page);
    }
    const login = await begin(`?return_to=${encodeURIComponent('/console/sensors?q=hall')}`);
    assert.equal((await login.finish()).location, `${platform.url}/console/sensors?q=hall`);
  });

  it('cannot fill the memory with an answer that is too long', async () => {
    provider.forge({ said: { padding: 'x'.repeat(1_000_000) } });
    const login = await begin();
    const { status, text } = await login.finish();
    assert.equal(status, 503);
    assert.match(text, /The identity provider does not answer at the moment/);
    assert.equal(login.session(platform.url), undefined);
  });

  it('cannot log in with a password to an account that has none', async () => {
    provider.forge({ said: { sub: 'without a password', preferred_username: 'grace' } });
    const login = await begin();
    await login.finish();
    const { username } = await usernameOf(login);
    const empty = { username, password: 'd41d8cd98f00b204e9800998ecf8427e' };
    assert.equal((await platform.anonymous.post('/login', empty)).status, 401);
  });

  it('cannot open a disabled or a deleted account', async () => {
    provider.forge({ said: { sub: 'to be disabled' } });
    const login = await begin();
    await login.finish();
    const { id } = await usernameOf(login);
    await platform.container.services.disabledAccounts.disable(Number(id));
    const again = await begin();
    assert.equal((await again.finish()).status, 403);
    assert.equal(again.session(platform.url), undefined);
    await platform.container.services.disabledAccounts.enable(Number(id));
    const third = await begin();
    await third.finish();
    const session = third.session(platform.url) ?? '';
    assert.equal((await platform.anonymous.delete(`/users/${id}`, undefined, { 'X-SESSION_ID': session })).status, 200);
    const fourth = await begin();
    await fourth.finish();
    assert.notEqual((await usernameOf(fourth)).id, id, 'the identity begins with a new account');
  });
});

describe('a provider that names another issuer', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings() }));

  it('is not used', async () => {
    provider.forge({ metadata: { issuer: OTHER_ISSUER } });
    const { status, text } = await new LoginBrowser().open(`${platform.url}/login/oidc`);
    assert.equal(status, 503);
    assert.match(text, /log in with your password/);
  });
});

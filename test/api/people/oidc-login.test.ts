import assert from 'node:assert/strict';
import { useForAll, usePlatform } from '../../support/hooks';
import { startIdentityProvider } from '../../support/identity-provider';
import { LoginBrowser } from '../../support/login-browser';

describe('a login by a certified identity provider', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const provider = useForAll(
    () => startIdentityProvider(10),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ clock, config: provider.settings({ OIDC_CREATE_USERS: 'true' }) }));
  before(() => provider.register(platform.url));
  beforeEach(() => {
    clock.offset = 0;
  });

  const callback = () => `${platform.url}/login/oidc/callback`;
  const answer = async (person: string, browser = new LoginBrowser()) => ({
    browser,
    address: await browser.follow(`${platform.url}/login/oidc`, callback(), person),
  });
  const logIn = async (person: string, browser?: LoginBrowser) => {
    const begun = await answer(person, browser);
    const opened = await begun.browser.open(begun.address);
    assert.equal(opened.status, 303, opened.text);
    const session = begun.browser.cookie(platform.url, 'session_id') ?? assert.fail('no session');
    const { body } = await platform.anonymous.get('/users/current', { 'X-SESSION_ID': session });
    return { ...begun, session, user: body.user, location: opened.location };
  };

  it('creates an account from what the provider says, and opens the same one again', async () => {
    provider.people.set('ada', {
      preferred_username: 'ada',
      email: 'ada@example.org',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
      zoneinfo: 'Europe/London',
    });
    const first = await logIn('ada');
    assert.equal(first.location, `${platform.url}/console/`);
    const { username, email, name, surname, timezone, language } = first.user;
    assert.deepEqual(
      { username, email, name, surname, timezone, language },
      {
        username: 'ada',
        email: 'ada@example.org',
        name: 'Ada',
        surname: 'Lovelace',
        timezone: 'Europe/London',
        language: 'en',
      },
    );
    assert.equal((await logIn('ada')).user.id, first.user.id);
  });

  it('gives a free username', async () => {
    const { username } = await platform.user();
    provider.people.set('namesake', { preferred_username: `${username}@example.org` });
    assert.equal((await logIn('namesake')).user.username, `${username}-2`);
  });

  it('uses PKCE, state and nonce, and asks for no more than it reads', async () => {
    const { location, headers } = await new LoginBrowser().open(`${platform.url}/login/oidc`);
    const { searchParams } = new URL(location);
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'scope', 'redirect_uri'].map((name) => searchParams.get(name)),
      ['code', 'S256', 'openid profile email', callback()],
    );
    for (const name of ['code_challenge', 'state', 'nonce'])
      assert.ok((searchParams.get(name) ?? '').length >= 43, name);
    assert.match(headers.getSetCookie().join(), /^oidc_login=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  });

  it('survives a rotation of keys at any moment', async () => {
    const before = await logIn('rotated');
    await provider.rotateKeys();
    assert.equal((await logIn('rotated')).user.id, before.user.id);
    const begun = await answer('rotated');
    await provider.rotateKeys();
    assert.equal((await begun.browser.open(begun.address)).status, 303);
  });

  it('tolerates a minute between the clocks, and no more', async () => {
    for (const [offset, status] of [
      [55_000, 303],
      [-55_000, 303],
      [120_000, 400],
    ] as const) {
      const begun = await answer('skewed');
      clock.offset = offset;
      assert.equal((await begun.browser.open(begun.address)).status, status, `${offset} ms`);
      clock.offset = 0;
    }
  });

  it('ends ten minutes after it began', async () => {
    const begun = await answer('slow');
    clock.offset = 601_000;
    const { status, text } = await begun.browser.open(begun.address);
    assert.equal(status, 400);
    assert.match(text, /This login is out of date/);
  });

  it('is refused if the user or the provider refuses', async () => {
    const browser = new LoginBrowser();
    const { location } = await browser.open(`${platform.url}/login/oidc`);
    const state = new URL(location).searchParams.get('state') ?? '';
    const refusal = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    const { status, text } = await browser.open(`${callback()}?${refusal}`);
    assert.equal(status, 403);
    assert.match(text, /The identity provider refused the login/);
  });

  it('is refused for a code that another login got', async () => {
    const [one, other] = [await answer('one'), await answer('other')];
    const stolen = new URL(one.address);
    stolen.searchParams.set('code', new URL(other.address).searchParams.get('code') ?? '');
    const { status } = await one.browser.open(stolen.href);
    assert.equal(status, 400);
    assert.equal(one.browser.cookie(platform.url, 'session_id'), undefined);
  });

  it('leads to the logout of the provider, which leads back', async () => {
    const { session, browser } = await logIn('leaving');
    const headers = { 'X-SESSION_ID': session };
    const { body } = await platform.anonymous.post('/logout', undefined, headers);
    assert.deepEqual(body, { provider_logout: '/login/oidc/logout' });
    assert.equal((await platform.anonymous.get('/users/current', headers)).status, 401);
    const { location } = await browser.open(platform.url + body.provider_logout);
    assert.ok(location.startsWith(`${provider.issuer}/session/end?`), location);
    const page = await browser.open(location);
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? '';
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const ended = await browser.open(new URL(action, location).href, { xsrf: field('xsrf'), logout: 'yes' });
    assert.equal(ended.location.replace(/\?.*/, ''), `${platform.url}/console/`);
    const user = await platform.user();
    assert.deepEqual((await user.api.post('/logout')).body, {}, 'not after a password');
  });

  it('says when the provider is down, while passwords still work', async () => {
    const begun = await answer('unlucky');
    provider.setDown(true);
    const { status, text } = await begun.browser.open(begun.address);
    assert.equal(status, 503);
    assert.match(text, /The identity provider does not answer at the moment/);
    assert.match(text, /<a href="[./]*console\/">Log in with your password<\/a>/);
    await platform.user();
    provider.setDown(false);
    await logIn('unlucky');
  });

  it('reads what the provider announces once an hour, and does without while it is down', async () => {
    const requests = () => provider.discoveries;
    await logIn('of the first hour');
    const before = requests();
    await logIn('of the first hour');
    assert.equal(requests(), before);
    clock.offset = 3_601_000;
    provider.setDown(true);
    assert.equal((await new LoginBrowser().open(`${platform.url}/login/oidc`)).status, 303);
    provider.setDown(false);
    assert.equal((await new LoginBrowser().open(`${platform.url}/login/oidc`)).status, 303);
    assert.equal(requests(), before + 1);
  });
});

describe('a login by a provider that is down from the start', () => {
  const provider = useForAll(
    () => startIdentityProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings() }));

  it('works as soon as the provider does', async () => {
    provider.setDown(true);
    const browser = new LoginBrowser();
    const german = await browser.open(`${platform.url}/login/oidc`, undefined, { 'Accept-Language': 'de' });
    assert.equal(german.status, 503);
    const both = await Promise.all([1, 2].map(() => browser.open(`${platform.url}/login/oidc`)));
    assert.deepEqual(
      both.map(({ status }) => status),
      [503, 503],
    );
    assert.match(german.text, /<html lang="de">/);
    assert.doesNotMatch(german.text, /identity provider/);
    await provider.register(platform.url);
    provider.setDown(false);
    assert.equal((await browser.open(`${platform.url}/login/oidc`)).status, 303);
  });
});

import assert from 'node:assert/strict';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';
import { LoginBrowser } from '../../support/login-browser';
import { recordMails } from '../../support/mails';
import type { TestUser } from '../../support/platform';

describe('identities of an account', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ clock, config: provider.settings() }));
  const browserOf = ({ session }: TestUser) => {
    const browser = new LoginBrowser();
    browser.setCookie(platform.url, 'session_id', session);
    return browser;
  };
  const ticketOf = async (user: TestUser, body: Record<string, unknown> = {}) => {
    const { status, body: answer } = await user.api.post('/login/oidc/link', body);
    assert.equal(status, 200, JSON.stringify(answer));
    return String(answer.location).replace('/login/oidc', '');
  };
  const link = async (user: TestUser, sub: string) => {
    provider.forge({ said: { sub, preferred_username: `${sub}-there` } });
    const login = await BegunLogin.at(platform.url, provider, {
      browser: browserOf(user),
      query: await ticketOf(user),
    });
    return login.finish();
  };

  beforeEach(() => {
    clock.offset = 0;
    provider.forge({});
  });

  it('are linked only by a user who is logged in, and then log in', async () => {
    const user = await platform.user();
    provider.forge({ said: { sub: 'linked' } });
    const unknown = await (await BegunLogin.at(platform.url, provider)).finish();
    assert.equal(unknown.status, 403);
    assert.match(unknown.text, /No account is linked to this identity/);
    const linked = await link(user, 'linked');
    assert.equal(linked.location, `${platform.url}/console/account/security`);
    const { body } = await user.api.get('/identities');
    const [identity] = body.identities;
    assert.deepEqual(
      { ...identity, id: '', created: 0 },
      { id: '', issuer: provider.issuer, subject: 'linked', name: 'linked-there', created: 0, last_used: null },
    );
    const login = await BegunLogin.at(platform.url, provider);
    assert.equal((await login.finish()).status, 303);
    const headers = { 'X-SESSION_ID': login.session(platform.url) ?? '' };
    assert.equal((await platform.anonymous.get('/users/current', headers)).body.user.id, user.id);
    assert.ok((await user.api.get('/identities')).body.identities[0].last_used > 0);
  });

  it('stay with the account that linked them first', async () => {
    const [first, second] = [await platform.user(), await platform.user()];
    await link(first, 'of the first');
    const { status, text } = await link(second, 'of the first');
    assert.equal(status, 409);
    assert.match(text, /This identity is linked to another account/);
    assert.equal((await second.api.get('/identities')).body.identities.length, 0);
    assert.equal((await link(first, 'of the first')).status, 303, 'a second link changes nothing');
    assert.equal((await first.api.get('/identities')).body.identities.length, 1);
  });

  it('are linked only in the session that asked, within a minute', async () => {
    const [user, attacker] = [await platform.user(), await platform.user()];
    const query = await ticketOf(attacker);
    const opened = await browserOf(user).open(`${platform.url}/login/oidc${query}`);
    assert.equal(opened.status, 401, 'the ticket of another account');
    const login = await BegunLogin.at(platform.url, provider, { browser: browserOf(attacker), query });
    login.browser.setCookie(platform.url, 'session_id', user.session);
    assert.equal((await login.finish()).status, 401, 'the session has changed meanwhile');
    assert.equal((await user.api.get('/identities')).body.identities.length, 0);
    const late = await ticketOf(user);
    clock.offset = 61_000;
    assert.equal((await browserOf(user).open(`${platform.url}/login/oidc${late}`)).status, 400);
    assert.equal((await browserOf(user).open(`${platform.url}/login/oidc?link=none`)).status, 400);
  });

  it('need the password if the session is older than ten minutes', async () => {
    const user = await platform.user();
    clock.offset = 11 * 60_000;
    const refused = await user.api.post('/login/oidc/link', {});
    assert.deepEqual([refused.status, refused.body.code], [403, 'password_required']);
    const wrong = await user.api.post('/login/oidc/link', { current_password: 'f'.repeat(32) });
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'wrong_password']);
    await ticketOf(user, { current_password: user.password });
  });

  it('are removed with their sessions, but not the only way to log in', async () => {
    const user = await platform.user();
    await link(user, 'to be removed');
    const login = await BegunLogin.at(platform.url, provider);
    await login.finish();
    const headers = { 'X-SESSION_ID': login.session(platform.url) ?? '' };
    const [identity] = (await user.api.get('/identities')).body.identities;
    const stranger = await platform.user();
    assert.equal((await stranger.api.delete(`/identities/${identity.id}`)).status, 404);
    await platform.query("UPDATE users SET password_hash = '' WHERE id = ?", [user.id]);
    const refused = await user.api.delete(`/identities/${identity.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    await link(user, 'another way');
    assert.equal((await user.api.delete(`/identities/${identity.id}`)).status, 200);
    assert.equal((await platform.anonymous.get('/users/current', headers)).status, 401);
    assert.equal((await user.api.get('/users/current')).status, 200);
  });

  it('are mailed to the owner when one is linked, and when it is removed', async () => {
    const user = await platform.user();
    const { sent } = recordMails(platform);
    await link(user, 'mailed');
    const [identity] = (await user.api.get('/identities')).body.identities;
    assert.equal((await user.api.delete(`/identities/${identity.id}`)).status, 200);
    const mails = sent.filter(({ to }) => to.startsWith(user.username)).map(({ text }) => text);
    assert.equal(mails.length, 2);
    for (const text of mails) assert.match(text, /the list of linked identities of your account/);
  });

  it('are not for keys', async () => {
    const user = await platform.user();
    const { body } = await user.api.post('/keys', { key: { name: 'all', scopes: ['write', 'read'] } });
    const headers = { Authorization: `Bearer ${body.key.secret}` };
    assert.equal((await platform.anonymous.get('/identities', headers)).status, 403);
    assert.equal((await platform.anonymous.post('/login/oidc/link', {}, headers)).status, 403);
  });
});

describe('a platform without an identity provider', () => {
  const platform = usePlatform();

  it('has no page for its logins, and links nothing', async () => {
    for (const page of ['', '/callback', '/logout']) {
      assert.equal((await platform.anonymous.get(`/login/oidc${page}`)).status, 404, page);
    }
    const user = await platform.user();
    assert.equal((await user.api.post('/login/oidc/link', {})).status, 409);
    assert.equal((await user.api.get('/identities')).body.identities.length, 0);
    const login = await platform.anonymous.post('/login', { username: user.username, password: user.password });
    assert.equal(login.status, 200);
  });
});

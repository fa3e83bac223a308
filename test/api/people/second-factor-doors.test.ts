import assert from 'node:assert/strict';
import { hashSecret } from '../../../src/platform/secrets';
import { Words } from '../../../src/platform/words/words';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';
import { recordMails } from '../../support/mails';
import { setUpTotp, totpCode } from '../../support/second-factor';

const OTHER = 'ef'.repeat(16);
const STEP_MS = 30_000;
const PAGE = { Accept: 'text/html' };

describe('ways around a second factor', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const config = { OIDC_CREATE_USERS: 'true', TRUST_PROXY: '1', RATE_LIMIT_REFUSED_LOGINS: '3' };
  const platform = usePlatform(() => ({ clock, config: provider.settings(config) }));
  beforeEach(() => {
    clock.offset = 0;
    provider.forge({});
  });

  /** An account that the provider has opened. */
  const provided = async (sub: string) => {
    const iat = Math.floor(clock.now() / 1000);
    provider.forge({ said: { sub, preferred_username: sub, iat, exp: iat + 300 } });
    const login = await BegunLogin.at(platform.url, provider);
    assert.equal((await login.finish()).status, 303);
    const headers = { 'X-SESSION_ID': login.session(platform.url) ?? '' };
    const { id, username } = (await platform.anonymous.get('/users/current', headers)).body.user;
    const post = (path: string, body: unknown) => platform.anonymous.post(path, body, headers);
    const put = (path: string, body: unknown) => platform.anonymous.put(path, body, headers);
    return { id, username, headers, post, put, get: (path: string) => platform.anonymous.get(path, headers) };
  };
  const addPasskey = (userId: string, credentialId: string) =>
    platform.query(
      `INSERT INTO passkeys (user_id, name, credential_hash, credential_id, public_key, transports, counter, created_ms)
       VALUES (?, 'Phone', ?, ?, 'AA', '', 0, ?)`,
      [userId, hashSecret(credentialId), credentialId, clock.now()],
    );

  it('are closed to a thief of a session that has just begun', async () => {
    const user = await platform.user();
    const { secret } = await setUpTotp(user, clock);
    const put = (fields: object) => user.api.put(`/users/${user.id}`, { user: fields });
    for (const refused of [
      await put({ password: OTHER }),
      await put({ email: 'thief@example.org' }),
      await user.api.post('/login/oidc/link', {}),
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [403, 'password_required'], JSON.stringify(refused.body));
    }
    clock.offset = STEP_MS;
    const otp = totpCode(secret, clock.now());
    assert.equal((await user.api.post('/login/oidc/link', { otp })).status, 200);
    assert.equal((await user.api.post('/login/oidc/link', { otp })).body.code, 'wrong_code');
    assert.equal((await put({ password: OTHER, current_password: user.password })).status, 200);
    assert.equal((await put({ name: 'Ada' })).status, 200, 'all else needs no proof');
  });

  it('are closed to a password that was chosen by mail', async () => {
    const { sent } = recordMails(platform);
    const user = await platform.user();
    await setUpTotp(user, clock);
    await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    const token = /token=([\w-]+)/.exec(sent.at(-1)?.text ?? '')?.[1];
    assert.equal((await platform.anonymous.post('/resetPassword', { token, password: OTHER })).status, 200);
    const login = await platform.anonymous.post('/login', { username: user.username, password: OTHER });
    assert.equal(login.body.code, 'second_factor_required');
    assert.equal((await user.api.get('/users/current')).status, 401, 'sessions end');
  });

  it('ask an account without a password to log in again, which then chooses one', async () => {
    const { id, username, post, put, get } = await provided('fresh');
    assert.equal((await get('/second_factors')).body.password, false);
    assert.equal((await post('/second_factors/totp', {})).status, 200);
    const wrong = await post('/change_password', { current_password: OTHER, new_password: OTHER });
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'wrong_password']);
    assert.match(wrong.body.error, /has no password: choose one with PUT/);
    clock.offset = 11 * 60_000;
    for (const refused of [
      await post('/second_factors/totp', {}),
      await post('/login/oidc/link', {}),
      await put(`/users/${id}`, { user: { password: OTHER } }),
      await put(`/users/${id}`, { user: { email: 'new@example.org' } }),
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [403, 'login_required'], JSON.stringify(refused.body));
    }
    const again = await provided('fresh');
    assert.equal(again.id, id);
    assert.equal((await again.put(`/users/${id}`, { user: { password: OTHER } })).status, 200);
    assert.equal((await platform.anonymous.post('/login', { username, password: OTHER })).status, 200);
    assert.equal((await again.get('/second_factors')).body.password, true);
  });

  it('leave one way in to an account without a password: an identity or a passkey', async () => {
    const { id, post, get, headers } = await provided('one way');
    const [identity] = (await get('/identities')).body.identities;
    const unlink = () => platform.anonymous.delete(`/identities/${identity.id}`, undefined, headers);
    assert.equal((await unlink()).status, 409);
    await addPasskey(id, 'first');
    await addPasskey(id, 'second');
    assert.equal((await unlink()).status, 200);
    const [first, second] = (await get('/second_factors')).body.passkeys;
    assert.equal((await post(`/passkeys/${first.id}/remove`, {})).status, 200);
    const last = await post(`/passkeys/${second.id}/remove`, {});
    assert.deepEqual([last.status, last.body.code], [409, 'conflict']);
    assert.equal((await get('/second_factors')).body.passkeys.length, 1);
  });

  it('end with everything: identities of a thief do not outlive a new password', async () => {
    const user = await platform.user();
    await platform.query(
      "INSERT INTO identities (user_id, issuer, subject, name, created_ms) VALUES (?, ?, 'thief', 'thief', 1)",
      [user.id, provider.issuer],
    );
    const change = { current_password: user.password, new_password: OTHER };
    await user.api.post('/change_password', change);
    assert.equal((await user.api.get('/identities')).body.identities.length, 1);
    const all = { current_password: OTHER, new_password: user.password, end_everything: true };
    assert.equal((await user.api.post('/change_password', all)).status, 200);
    assert.equal((await user.api.get('/identities')).body.identities.length, 0);
  });

  it('by refused passkeys are tried as often as passwords, from one address', async () => {
    const user = await platform.user();
    await addPasskey(user.id, 'stolen');
    const attempt = (id: string, address: string) =>
      platform.anonymous.post('/login/passkey', { credential: { id } }, { 'X-Forwarded-For': address });
    for (let count = 0; count < 3; count += 1) assert.equal((await attempt('stolen', '192.0.2.1')).status, 401);
    assert.equal((await attempt('stolen', '192.0.2.1')).status, 429);
    assert.equal((await attempt('stolen', '198.51.100.1')).status, 401, 'other addresses do not suffer');
    for (let count = 0; count < 27; count += 1) await attempt(`unknown ${count}`, '192.0.2.1');
    assert.equal((await attempt('another', '192.0.2.1')).status, 429, 'many passkeys from one address');
  });

  it('are offered on the login of applications: the button of the provider', async () => {
    const page = await platform.anonymous.get('/oauth/authorizations', PAGE);
    const named = { provider: new URL(provider.issuer).host };
    const link = `login/oidc?return_to=${encodeURIComponent('/oauth/authorizations')}`;
    const button = (words: Words) => `${link}">${words.t('Log in with {provider}', named)}</a>`;
    assert.ok(page.body.includes(button(Words.in('en'))), page.body);
    const german = await platform.anonymous.get('/oauth/authorizations', { ...PAGE, 'Accept-Language': 'de' });
    assert.ok(german.body.includes(button(Words.in('de'))), german.body);
  });
});

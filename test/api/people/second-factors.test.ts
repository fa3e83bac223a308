import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { apiClient } from '../../support/api-client';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform } from '../../support/hooks';
import { recordMails } from '../../support/mails';
import type { TestUser } from '../../support/platform';
import { setUpTotp, totpCode } from '../../support/second-factor';

const STEP_MS = 30_000;
const WRONG = 'ffffffffffffffffffffffffffffffff';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };

describe('a second factor', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { TRUST_PROXY: '1', RATE_LIMIT_REFUSED_LOGINS: '3' } });

  const login = ({ username, password }: TestUser, otp?: string, address = '192.0.2.1') =>
    platform.anonymous.post('/login', { username, password, ...(otp && { otp }) }, { 'X-Forwarded-For': address });
  const withApp = async () => {
    const user = await platform.user();
    const app = await setUpTotp(user, clock);
    clock.advance(STEP_MS);
    return { user, ...app };
  };

  it('is asked for at the next login, whose error says what there is, and how programs do without', async () => {
    const { user, secret } = await withApp();
    const refused = await login(user);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.second_factor],
      [401, 'second_factor_required', ['totp']],
    );
    assert.match(refused.body.error, /uses a key instead, see POST \/keys/);
    assert.equal(refused.headers.getSetCookie().length, 0);
    const german = await platform.anonymous.post('/login', user, { 'Accept-Language': 'de' });
    assert.deepEqual([german.status, german.body.error === refused.body.error], [401, false]);
    assert.equal((await login({ ...user, password: WRONG }, totpCode(secret, clock.now()))).body.error, 'unauthorized');
    assert.equal((await login(user, totpCode(secret, clock.now()))).status, 200);
    assert.equal((await user.api.get('/users/current')).status, 200, 'sessions from before stay');
  });

  it('asks neither keys nor users without one, whatever they send', async () => {
    const { user } = await withApp();
    const key = (await user.api.post('/keys', { key: { name: 'device', scopes: ['read'] } })).body.key.secret;
    const byKey = apiClient(platform.url, { Authorization: `Bearer ${key}` });
    assert.equal((await byKey.get('/sensors')).status, 200);
    assert.equal((await byKey.get('/second_factors')).status, 403);
    assert.equal((await login(await platform.user(), '123456')).status, 200);
  });

  it('accepts codes of the step before and after, each once, and none that is older than one that was used', async () => {
    const { user, secret } = await withApp();
    const code = (steps: number) => totpCode(secret, clock.now() + steps * STEP_MS);
    clock.advance(10 * STEP_MS);
    for (const away of [-2, 2]) assert.equal((await login(user, code(away))).body.code, 'wrong_code');
    assert.equal((await login(user, code(-1), '192.0.2.2')).status, 200);
    assert.equal((await login(user, code(-1), '192.0.2.2')).body.code, 'wrong_code');
    assert.equal((await login(user, `${code(1).slice(0, 3)} ${code(1).slice(3)}`, '192.0.2.2')).status, 200);
    const older = await login(user, code(0), '192.0.2.3');
    assert.deepEqual([older.status, older.body.code, older.body.second_factor], [401, 'wrong_code', ['totp']]);
  });

  it('lets one of several requests with the same code in', async () => {
    const { user, secret, recoveryCodes } = await withApp();
    for (const code of [totpCode(secret, clock.now()), recoveryCodes[0]]) {
      const answers = await Promise.all([1, 2, 3].map((n) => login(user, code, `192.0.2.${n}`)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    }
  });

  it('can be replaced by each of ten recovery codes once, however they are written', async () => {
    const { user, recoveryCodes } = await withApp();
    assert.equal(new Set(recoveryCodes).size, 10);
    const [first = '', second = ''] = recoveryCodes;
    assert.equal((await login(user, ` ${first.toUpperCase().replaceAll('-', ' ')}`)).status, 200);
    assert.equal((await login(user, first)).body.code, 'wrong_code');
    const stored = JSON.stringify(await platform.query('SELECT * FROM recovery_codes'));
    for (const code of recoveryCodes) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')));
    assert.equal((await user.api.get('/second_factors')).body.recovery_codes, 9);
    const renewed = await user.api.post('/second_factors/recovery_codes', { otp: second });
    assert.equal(renewed.body.recovery_codes.length, 10);
    assert.equal((await login(user, recoveryCodes[2])).status, 401);
    assert.equal((await login(user, renewed.body.recovery_codes[0])).status, 200);
  });

  it('is guessed at most as often as a password, together with it', async () => {
    const { user, secret } = await withApp();
    assert.equal((await login({ ...user, password: WRONG }, '000000', '192.0.2.9')).status, 401);
    for (const code of ['000000', 'aaaa-bbbb']) assert.equal((await login(user, code, '192.0.2.9')).status, 401);
    const code = totpCode(secret, clock.now());
    assert.equal((await login(user, code, '192.0.2.9')).status, 429);
    assert.equal(
      (await login(user, code, '192.0.2.10')).status,
      200,
      'others do not suffer, and the code is not used up',
    );
  });

  it('is guessed at most as often in a session', async () => {
    const { user, secret } = await withApp();
    for (const otp of ['000000', '111111']) {
      assert.equal((await user.api.post('/second_factors/totp/remove', { otp })).body.code, 'wrong_code');
    }
    assert.equal((await user.api.post('/second_factors/totp/remove', { current_password: WRONG })).status, 403);
    const right = { otp: totpCode(secret, clock.now()) };
    assert.equal((await user.api.post('/second_factors/totp/remove', right)).status, 429);
    assert.equal((await login(user, right.otp)).status, 200, 'that did not use the code up');
  });

  it('begins and ends with a proof only, and is asked for from its first right code on', async () => {
    const user = await platform.user();
    const { api, password } = user;
    assert.equal((await api.post('/second_factors/totp', {})).body.code, 'password_required');
    const begun = await api.post('/second_factors/totp', { current_password: password });
    assert.match(begun.body.secret, /^[A-Z2-7]{32}$/);
    assert.match(begun.body.uri, new RegExp(`^otpauth://totp/.*${user.username}.*secret=${begun.body.secret}`));
    assert.match(begun.body.qr_code, /^<svg [^>]*viewBox="0 0 \d+ \d+"[^>]*>.*<path [^>]*d="M/s);
    const stored = await platform.query('SELECT secret FROM totp_secrets WHERE user_id = ?', [user.id]);
    assert.ok(!JSON.stringify(stored).includes(begun.body.secret));
    assert.equal((await login(user)).status, 200);
    assert.deepEqual((await api.get('/second_factors')).body.totp, null);
    assert.equal((await api.post('/second_factors/recovery_codes', { current_password: password })).status, 409);
    assert.equal((await api.put('/second_factors/totp', { otp: '000000' })).body.code, 'wrong_code');
    const now = { otp: totpCode(begun.body.secret, clock.now()) };
    assert.equal((await api.put('/second_factors/totp', now)).status, 200);
    assert.equal((await api.put('/second_factors/totp', now)).status, 403);
    assert.equal((await api.post('/second_factors/totp', { current_password: password })).status, 409);
    assert.equal((await login(user)).status, 401);
    assert.equal((await api.post('/second_factors/totp/remove', {})).status, 403);
    assert.equal((await api.post('/second_factors/totp/remove', { current_password: password })).status, 200);
    assert.equal((await login(user)).status, 200);
    assert.deepEqual((await api.get('/second_factors')).body, {
      ...{ password: true, totp: null, passkeys: [], recovery_codes: 0 },
    });
    assert.equal((await api.post('/second_factors/totp/remove', { current_password: password })).status, 409);
  });

  it('is mailed to the owner with each change, and outlives a new password', async () => {
    const { sent } = recordMails(platform);
    const { user, recoveryCodes } = await withApp();
    const address = `${user.username}@example.org`;
    await user.api.post('/change_password', { current_password: user.password, new_password: WRONG });
    assert.equal((await login({ ...user, password: WRONG })).body.code, 'second_factor_required');
    await user.api.post('/second_factors/recovery_codes', { otp: recoveryCodes[0] });
    await user.api.post('/second_factors/totp/remove', { current_password: WRONG });
    const mails = sent.filter(({ to }) => to === address).map(({ text }) => text);
    assert.equal(mails.length, 4);
    assert.match(mails[0] ?? '', /the second factor of your account .* has been changed\.\s+Signing in now also asks/);
    assert.match(mails[2] ?? '', /There are new recovery codes/);
    assert.match(mails[3] ?? '', /asks for no code/);
  });

  it('is removed by operators on record, with a mail', async () => {
    const { user } = await withApp();
    const { sent } = recordMails(platform);
    const path = `/admin/users/${user.id}/remove-second-factors`;
    const form = await platform.anonymous.get(path, OPERATOR);
    const token = /name="form_token" value="([^"]+)"/.exec(form.body)?.[1];
    assert.equal((await platform.anonymous.post(path, `form_token=${token}`, { ...OPERATOR, ...FORM })).status, 303);
    assert.equal((await login(user)).status, 200);
    const [done] = await platform.query('SELECT operator, action FROM operator_actions WHERE user_id = ?', [user.id]);
    assert.deepEqual({ ...done }, { operator: 'operator', action: 'remove-second-factors' });
    assert.match(sent.find(({ to }) => to.startsWith(user.username))?.text ?? '', /An operator .* removed all second/);
  });

  it('of a disabled account changes nothing, and one of a deleted account leaves no rows', async () => {
    const { user, secret } = await withApp();
    await platform.container.services.disabledAccounts.disable(Number(user.id));
    assert.equal((await login(user, totpCode(secret, clock.now()))).body.code, 'account_disabled');
    await platform.container.services.disabledAccounts.enable(Number(user.id));
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    for (const table of ['totp_secrets', 'recovery_codes']) {
      assert.deepEqual(await platform.query(`SELECT * FROM ${table} WHERE user_id = ?`, [user.id]), [], table);
    }
  });

  it('is asked for by the login of pages as well, without the password again', async () => {
    const { user, secret } = await withApp();
    const next = '/oauth/authorizations';
    const page = await platform.anonymous.get(next, { Accept: 'text/html' });
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const tokenIn = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? '';
    const send = (fields: Record<string, string>, by = cookie) =>
      platform.anonymous.post(
        '/oauth/login',
        new URLSearchParams({ form_token: tokenIn(page.body, 'form_token'), next, ...fields }).toString(),
        { ...FORM, Cookie: by },
      );
    const password = 'correct horse';
    const new_password = createHash('md5').update(password).digest('hex');
    await user.api.post('/change_password', { current_password: user.password, new_password });
    const second = await send({ username: user.username, password });
    assert.equal(second.status, 401);
    assert.match(second.body, /name="otp"/);
    assert.ok(!second.body.includes(password) && !second.body.includes(new_password));
    const ticket = tokenIn(second.body, 'ticket');
    assert.match((await send({ ticket, otp: '000000' })).body, /role="alert">[^<]*code is wrong/i);
    const entered = await send({ ticket, otp: totpCode(secret, clock.now()) });
    assert.deepEqual([entered.status, entered.headers.get('location')], [303, platform.url + next]);
    assert.match(entered.headers.getSetCookie().join(), /session_id=\w{27}/);
    clock.advance(11 * 60_000);
    const late = await send({ ticket, otp: totpCode(secret, clock.now()) });
    assert.match(late.body, /took too long/);
    assert.match(late.body, /name="password"/);
  });
});

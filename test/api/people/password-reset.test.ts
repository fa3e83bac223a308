import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { usePlatform } from '../../support/hooks';
import { type Mail, recordMails } from '../../support/mails';

const OTHER_DIGEST = 'ffffffffffffffffffffffffffffffff';

describe('a password reset', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform({ clock, config: { PUBLIC_URL: 'https://sensors.example.org/' } });
  let mails: { sent: Mail[]; fail: boolean };

  before(async () => {
    mails = recordMails(platform);
  });
  beforeEach(() => {
    mails.sent = [];
    mails.fail = false;
  });

  const requestReset = (body: Record<string, unknown>) => platform.anonymous.post('/requestPasswordReset', body);
  const reset = (token: string, password = OTHER_DIGEST) =>
    platform.anonymous.post('/resetPassword', { token, password });
  const tokensOf = (mail: Mail | undefined) =>
    [...(mail?.text ?? '').matchAll(/\/resetPassword\?token=([\w-]+)$/gm)].map(([, token = '']) => token);
  const tokenOf = (mail: Mail | undefined) => tokensOf(mail)[0] ?? '';

  it('works once with the link from the mail, and ends all sessions', async () => {
    const user = await platform.user();
    assert.equal((await requestReset({ username: user.username.toUpperCase() })).status, 200);
    const [mail] = mails.sent;
    assert.equal(mail?.to, `${user.username}@example.org`);
    assert.match(mail?.text ?? '', /^https:\/\/sensors\.example\.org\/resetPassword\?token=/m);
    const token = tokenOf(mail);
    const rows = await platform.query('SELECT * FROM password_resets');
    assert.ok(token.length >= 32 && !JSON.stringify(rows).includes(token));
    assert.equal((await reset(token, 'clear text')).status, 400);
    assert.equal((await reset(token)).status, 200);
    assert.equal((await user.api.get('/users/current')).status, 401);
    const again = await reset(token, user.password);
    assert.deepEqual([again.status, again.body.code], [400, 'dead_token']);
    const login = (password: string) => platform.anonymous.post('/login', { username: user.username, password });
    assert.deepEqual([(await login(user.password)).status, (await login(OTHER_DIGEST)).status], [401, 200]);
  });

  it('works once when several requests use the token at the same time', async () => {
    const user = await platform.user();
    await requestReset({ username: user.username });
    const token = tokenOf(mails.sent[0]);
    const responses = await Promise.all([1, 2, 3].map(() => reset(token)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400]);
  });

  it('can be requested by email address, even in the query, and is one mail with a link for each account of it', async () => {
    const email = `${randomBytes(5).toString('hex')}@example.org`;
    const users = [await platform.user({ email }), await platform.user({ email })];
    assert.equal((await platform.anonymous.post(`/requestPasswordReset?email=${email}&username=`)).status, 200);
    const [mail, ...others] = mails.sent;
    assert.deepEqual([mail?.to, others], [email, []]);
    assert.match(mail?.text ?? '', new RegExp(`several accounts: number ${users[0]?.id}, number ${users[1]?.id}\\.`));
    for (const [i, { id, username }] of users.entries()) {
      const token = tokensOf(mail)[i] ?? '';
      assert.ok(
        mail?.text.includes(`Account number ${id}:\nhttps://sensors.example.org/resetPassword?token=${token}\n`),
      );
      assert.deepEqual((await reset(token)).body, { username });
    }
  });

  it('is one mail of ten accounts at most, however many have the address', async () => {
    const email = `${randomBytes(5).toString('hex')}@example.org`;
    for (let i = 0; i < 12; i += 1) await platform.user({ email });
    assert.equal((await requestReset({ email })).status, 200);
    assert.equal(mails.sent.length, 1);
    assert.equal(tokensOf(mails.sent[0]).length, 10);
  });

  it('is mailed to the stored address, however the request spells it', async () => {
    const email = `victim-${randomBytes(5).toString('hex')}@example.org`;
    await platform.user({ email });
    assert.equal((await requestReset({ email: email.replace('victim', 'víctim').toUpperCase() })).status, 200);
    assert.deepEqual(
      mails.sent.map(({ to }) => to),
      [email],
    );
  });

  it('is refused for an unknown account and without an account', async () => {
    assert.equal((await requestReset({ username: 'nobody-of-this-name' })).status, 404);
    assert.equal((await requestReset({ email: 'nobody@example.org' })).status, 404);
    assert.equal((await requestReset({})).status, 400);
    assert.equal((await requestReset({ username: '', email: null })).status, 400);
    assert.equal((await requestReset({ username: { $ne: '' } })).status, 400);
    assert.equal(mails.sent.length, 0);
  });

  it('expires after an hour', async () => {
    const user = await platform.user();
    await requestReset({ username: user.username });
    clock.offset += 3_600_000;
    assert.equal((await reset(tokenOf(mails.sent[0]))).status, 400);
    assert.equal((await user.api.get('/users/current')).status, 200);
  });

  it('is void after a change of the password', async () => {
    const user = await platform.user();
    await requestReset({ username: user.username });
    await user.api.post('/change_password', { current_password: user.password, new_password: OTHER_DIGEST });
    assert.equal((await reset(tokenOf(mails.sent[0]))).status, 400);
  });

  it('is limited in number per account', async () => {
    const { username } = await platform.user();
    for (let i = 0; i < 5; i += 1) assert.equal((await requestReset({ username })).status, 200);
    const limited = await requestReset({ username });
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) > 3_500);
    clock.offset += 3_600_000;
    assert.equal((await requestReset({ username })).status, 200);
  });

  it('is mailed to the other accounts of an address when one of them has reached its limit', async () => {
    const email = `${randomBytes(5).toString('hex')}@example.org`;
    const [first, second] = [await platform.user({ email }), await platform.user({ email })];
    for (let i = 0; i < 5; i += 1) assert.equal((await requestReset({ username: first.username })).status, 200);
    mails.sent = [];
    assert.equal((await requestReset({ email })).status, 200);
    assert.deepEqual([mails.sent.length, (await reset(tokenOf(mails.sent[0]))).body.username], [1, second.username]);
    for (let i = 0; i < 5; i += 1) assert.equal((await requestReset({ email })).status, 200);
    assert.equal((await requestReset({ email })).status, 429);
  });

  it('contains no text of the user who registered the account', async () => {
    const text = `Win at evil.example ${randomBytes(5).toString('hex')}`;
    const user = await platform.user({ username: text, name: text, surname: text });
    await requestReset({ username: user.username });
    assert.ok(mails.sent.length === 1 && !JSON.stringify(mails.sent).includes('evil'));
  });

  it('is void after a change of the email address, but not after other changes', async () => {
    const user = await platform.user();
    const before = (await user.api.get('/users/current')).body.user;
    await requestReset({ username: user.username });
    const [mail] = mails.sent;
    const change = (email: string) => user.api.put(`/users/${user.id}`, { user: { ...before, email, name: 'Ann' } });
    assert.equal((await change(`new-${before.email}`)).status, 200);
    assert.equal((await reset(tokenOf(mail))).status, 400);
    assert.equal((await user.api.get('/users/current')).status, 200);
    await requestReset({ username: user.username });
    assert.deepEqual(
      mails.sent.slice(1).map(({ to, subject }) => [to, subject]),
      [
        [before.email, 'Your account was changed'],
        [`new-${before.email}`, 'Choose a new password'],
      ],
    );
    assert.equal((await change(`new-${before.email}`)).status, 200);
    assert.equal((await reset(tokenOf(mails.sent[2]))).status, 200);
    assert.match(mails.sent[3]?.text ?? '', /^the password of your account number \d+ .* has been changed\.$/m);
  });

  it('fails when the mail cannot be sent, which does not count towards the limit', async () => {
    const { username } = await platform.user();
    mails.fail = true;
    for (let i = 0; i < 6; i += 1) assert.equal((await requestReset({ username })).status, 503);
    mails.fail = false;
    assert.equal((await requestReset({ username })).status, 200);
  });

  it('has a page behind its link that runs no script and leaks no token', async () => {
    const page = await platform.anonymous.get('/resetPassword?token=abc');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.ok(!page.body.includes('abc') && !/https?:|<script/.test(page.body));
    assert.equal(page.headers.get('cache-control'), 'no-store');
    for (const [, file = ''] of page.body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      assert.equal((await platform.anonymous.get(`/${file}`)).status, 200, file);
    }
  });
});

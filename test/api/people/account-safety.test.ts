import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform } from '../../support/hooks';
import { recordMails } from '../../support/mails';

const DAY_MS = 86_400_000;
const digest = (text: string) => createHash('md5').update(text).digest('hex');

describe('a session', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SESSION_IDLE_DAYS: '90' } });

  it('ends when it was not used for 90 days, and lives on when it was', async () => {
    const [idle, busy] = [await platform.user(), await platform.user()];
    for (let day = 0; day < 100; day += 30) {
      clock.advance(30 * DAY_MS);
      assert.equal((await busy.api.get('/users/current')).status, 200);
    }
    const refused = await idle.api.get('/users/current');
    assert.deepEqual([refused.status, refused.body.code], [401, 'no_session']);
    await platform.container.purge.run();
    assert.deepEqual(await platform.query('SELECT user_id AS id FROM sessions'), [{ id: Number(busy.id) }]);
  });
});

describe('a change of the password or the email', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { RATE_LIMIT_REFUSED_LOGINS: '3' } });

  it('requires the current password when the login was more than ten minutes ago', async () => {
    const user = await platform.user();
    const put = (fields: Record<string, unknown>) => user.api.put(`/users/${user.id}`, { user: fields });
    clock.advance(11 * 60_000);
    for (const fields of [{ password: digest('new') }, { email: 'new@example.org' }]) {
      const refused = await put(fields);
      assert.deepEqual([refused.status, refused.body.code], [403, 'password_required']);
      assert.equal((await put({ ...fields, current_password: digest('wrong') })).body.code, 'wrong_password');
    }
    assert.equal(
      (await put({ name: 'Other', email: (await user.api.get('/users/current')).body.user.email })).status,
      200,
    );
    assert.equal((await put({ email: 'new@example.org', current_password: user.password })).status, 200);
  });

  it('needs no password just after the login, and is reported to the former address', async () => {
    const { sent } = recordMails(platform);
    const user = await platform.user();
    const former = (await user.api.get('/users/current')).body.user.email;
    const fields = { email: 'changed@example.org', password: digest('changed') };
    assert.equal((await user.api.put(`/users/${user.id}`, { user: fields })).status, 200);
    const [mail] = sent.filter(({ to }) => to === former);
    assert.match(mail?.text ?? '', /password and the email address of your account number \d+/);
    assert.ok(!mail?.text.includes('changed@example.org'));
  });

  it('counts wrong passwords like refused logins', async () => {
    const user = await platform.user();
    const change = (current: string) =>
      user.api.post('/change_password', { current_password: current, new_password: digest('new') });
    for (let guess = 0; guess < 3; guess += 1) assert.equal((await change(digest(`guess ${guess}`))).status, 403);
    assert.equal((await change(user.password)).status, 429);
  });
});

import assert from 'node:assert/strict';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform } from '../../support/hooks';
import { recordMails } from '../../support/mails';
import type { TestUser } from '../../support/platform';

const DAY_MS = 86_400_000;

describe('a sign-in from a new address', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { TRUST_PROXY: '1' } });

  const login = async ({ username, password }: TestUser, address: string) => {
    const answer = await platform.anonymous.post('/login', { username, password }, { 'X-Forwarded-For': address });
    assert.equal(answer.status, 200);
  };
  const mailsTo = (sent: { to: string; text: string }[], { username }: TestUser) =>
    sent.filter(({ to }) => to.startsWith(username)).map(({ text }) => text);

  it('is mailed once for a network, and never for the first', async () => {
    const { sent } = recordMails(platform);
    const user = await platform.user();
    assert.deepEqual(mailsTo(sent, user), []);
    for (const address of ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1::1']) await login(user, address);
    const mails = mailsTo(sent, user);
    assert.equal(mails.length, 1);
    assert.match(mails[0] ?? '', /sign in from the address 2001:db8:1:1::1, for the first time/);
    await user.api.delete('/sessions');
    await login(user, '2001:db8:1:1::3');
    assert.equal(mailsTo(sent, user).length, 1, 'the end of the sessions there changes nothing');
    await login(user, '198.51.100.7');
    assert.match(mailsTo(sent, user)[1] ?? '', /198\.51\.100\.7/);
  });

  it('is mailed again for a network of half a year ago', async () => {
    const { sent } = recordMails(platform);
    const user = await platform.user();
    await login(user, '198.51.100.8');
    clock.advance(100 * DAY_MS);
    await login(user, '198.51.100.9');
    clock.advance(100 * DAY_MS);
    await login(user, '198.51.100.9');
    assert.equal(mailsTo(sent, user).length, 2);
    await login(user, '198.51.100.8');
    assert.equal(mailsTo(sent, user).length, 3);
  });

  it('of an account from before is compared with its sessions', async () => {
    const { sent } = recordMails(platform);
    const user = await platform.user();
    await platform.query('DELETE FROM login_networks WHERE user_id = ?', [user.id]);
    await login(user, '127.0.0.1');
    assert.deepEqual(mailsTo(sent, user), []);
    await platform.query('DELETE FROM login_networks WHERE user_id = ?', [user.id]);
    await login(user, '198.51.100.10');
    assert.equal(mailsTo(sent, user).length, 1);
  });

  it('is not mailed for a wrong password, and goes on without a mail server', async () => {
    const mails = recordMails(platform);
    const user = await platform.user();
    const wrong = { username: user.username, password: 'ffffffffffffffffffffffffffffffff' };
    await platform.anonymous.post('/login', wrong, { 'X-Forwarded-For': '198.51.100.11' });
    assert.deepEqual(mailsTo(mails.sent, user), []);
    mails.fail = true;
    await login(user, '198.51.100.11');
  });
});

import assert from 'node:assert/strict';
import { apiClient } from '../support/api-client';
import { buildNotification, buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform } from '../support/hooks';
import { linkIn, Mailbox } from '../support/mailbox';
import { registerUser, type TestUser } from '../support/platform';
import { until } from '../support/until';

const ACCOUNTS = 15;
/** What a stranger may get in an hour, whatever is done: welcome mails and questions, and links to new passwords. */
const MOST = { asked: 3, resets: 3 };
const TEXT = 'you have won, see https://phish.example/login';

describe('an attack by mails', function () {
  this.timeout(300_000);
  const mailbox = Mailbox.use();
  const platform = useStandingPlatform(() => ({ ...mailbox.settings, RATE_LIMIT_TESTS: '0' }));
  const bystander = useBystander(platform);
  let round = 0;

  /** Addresses that all lead to the mailbox of one stranger. */
  const addressOf = (index: number) => ['ward@example.org', 'Ward@Example.ORG', `ward+${index}@example.org`][index % 3];

  const account = async (index: number): Promise<TestUser> => {
    if (index % 2 === 0) return registerUser(platform.url, platform.anonymous, { email: addressOf(index) });
    const fields = { username: `mallory-${round}-${index}`, password: 'a'.repeat(32), name: TEXT };
    const created = await platform.anonymous.post('/users', { user: { ...fields, email: addressOf(index) } });
    const login = await platform.anonymous.post('/login', fields);
    const session = String(login.body.session_id);
    return { ...fields, id: created.body.user.id, session, api: apiClient(platform.url, { 'X-SESSION_ID': session }) };
  };

  /** Whatever an account can do to have something mailed. */
  const attackWith = async (user: TestUser, index: number) => {
    const fields = { type: 'email', destination: addressOf(index), text: TEXT };
    const ids = [await buildNotification(user, fields), await buildNotification(user, fields)];
    for (const id of ids) {
      const subscription = { name: TEXT, event: 'add_sensor', notification_id: id };
      await user.api.post('/events/notifications', { event_notification: subscription });
      for (let time = 0; time < 3; time += 1) await user.api.post(`/notifications/${id}/request_confirmation`);
      assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).status, 409);
    }
    await buildSensor(user, { name: TEXT });
    await user.api.post('/change_password', { current_password: user.password, new_password: 'b'.repeat(32) });
    for (const email of ['me@example.com', addressOf(index)]) {
      await user.api.put(`/users/${user.id}`, { user: { email, current_password: 'b'.repeat(32) } });
    }
    await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    await platform.anonymous.post('/requestPasswordReset', { email: addressOf(index) });
  };

  const attack = async () => {
    round += 1;
    await Promise.all(Array.from({ length: ACCOUNTS }, async (_, index) => attackWith(await account(index), index)));
    await until('all deliveries have ended', async () => {
      const [rows] = await platform.pool.query("SELECT id FROM deliveries WHERE status = 'pending' AND type = 'email'");
      return Array.isArray(rows) && rows.length === 0;
    });
  };

  const stranger = () => mailbox.mails.filter(({ to }) => to.some((address) => /^ward/i.test(address)));

  it('on a stranger gets through a few questions without any text of the attacker, and nothing once they say no', async () => {
    await bystander.during(attack);
    const mails = stranger();
    const resets = mails.filter(({ text }) => text.includes('/resetPassword?token='));
    assert.ok(resets.length <= MOST.resets, `${resets.length} links to new passwords`);
    assert.ok(mails.length - resets.length <= MOST.asked, `${mails.length - resets.length} questions`);
    for (const { text } of mails) assert.ok(!/phish|won/.test(text), text);
    const link = mails.map(({ text }) => linkIn(text, 'unsubscribe')).find((each) => each !== '') ?? '';
    assert.equal((await platform.anonymous.post(`${link}&from=everybody`)).status, 200);
    await platform.pool.query('DELETE FROM usage_counts'); // as after an hour
    mailbox.mails.length = 0;
    await bystander.during(attack);
    assert.deepEqual(stranger(), []);
  });
});

import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildNotification, buildSensor, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { linkIn, Mailbox } from '../../support/mailbox';

const HOUR_MS = 3_600_000;
const STRANGER = 'ward@example.org';

describe('the consent of recipients of mails', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const user = useUserPerTest(platform);
  // The hour of one test must not be used up by another.
  beforeEach(() => clock.advance(HOUR_MS));

  const build = (destination = STRANGER) => buildNotification(user, { type: 'email', destination });
  const record = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification;
  const test = (id: string) => user.api.post(`/notifications/${id}/test?wait=0`);
  const click = (link: string) => platform.anonymous.post(link);

  it('is asked for by one mail, and nothing else is sent before the page of its link is confirmed', async () => {
    const { sensorId, notificationIds } = await buildAlarm(user, {
      trigger: {},
      notifications: [{ type: 'email', destination: STRANGER, text: 'buy this' }],
    });
    const [id = ''] = notificationIds;
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    const refused = await test(id);
    assert.deepEqual([refused.status, refused.body.error], [409, 'the recipient has not confirmed the address yet']);
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    assert.equal(deliveries.length, 1);
    assert.equal(deliveries[0].status, 'failed');
    assert.equal(deliveries[0].attempts[0].error, 'the recipient has not confirmed the address yet');
    assert.equal((await user.api.post(`/notifications/${id}/redeliver`)).status, 409);
    assert.equal((await record(id)).confirmed, false);
    const [question = '', ...others] = mailbox.to(STRANGER);
    assert.deepEqual(others, []);
    assert.ok(!question.includes('buy this') && !question.includes(user.username), 'nothing that the user wrote');
    const link = linkIn(question, 'confirm');
    const page = await platform.anonymous.get(link);
    assert.match(page.body, /<form method="post">[\s\S]*<button>Receive alerts<\/button>/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal((await record(id)).confirmed, false, 'looking at the page confirms nothing');
    assert.equal((await click(link)).status, 200);
    assert.equal((await record(id)).confirmed, true);
    assert.equal((await test(id)).status, 201);
    assert.equal((await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`)).status, 200);
    await platform.settle();
    assert.equal(mailbox.to(STRANGER).length, 3);
  });

  it('is asked for once per user and address', async () => {
    const ids = await Promise.all([build(), build(), build('Ward@Example.org')]);
    for (const id of ids) await user.api.delete(`/notifications/${id}`);
    const id = await build();
    const other = await build('other@example.org');
    await user.api.put(`/notifications/${other}`, { notification: { destination: STRANGER } });
    assert.equal(mailbox.to(STRANGER).length + mailbox.to('Ward@Example.org').length, 1);
    assert.equal((await record(id)).confirmed, false);
    await click(linkIn(mailbox.mails[0]?.text ?? '', 'confirm'));
    assert.deepEqual([(await record(id)).confirmed, (await record(other)).confirmed], [true, true]);
    assert.equal((await record(await build())).confirmed, true);
  });

  it('is asked for again on request, three times in all', async () => {
    const id = await build();
    const again = () => user.api.post(`/notifications/${id}/request_confirmation`);
    assert.deepEqual([(await again()).status, (await again()).status], [200, 200]);
    clock.advance(HOUR_MS);
    const refused = await again();
    assert.deepEqual([refused.status, mailbox.mails.length], [409, 3]);
    await click(linkIn(mailbox.mails[0]?.text ?? '', 'confirm'));
    assert.equal((await again()).body.error, 'the address is confirmed already');
    const url = await buildNotification(user);
    assert.equal((await user.api.post(`/notifications/${url}/request_confirmation`)).status, 409);
  });

  it('is refused by the link in the same mail: that address is never asked again', async () => {
    await build();
    assert.equal((await click(linkIn(mailbox.mails[0]?.text ?? '', 'unsubscribe'))).status, 200);
    const id = await build();
    assert.equal((await record(id)).disabled_reason, 'unsubscribed');
    assert.equal((await user.api.post(`/notifications/${id}/request_confirmation`)).status, 409);
    assert.equal(mailbox.mails.length, 1);
  });

  it('of one address says nothing about another, or about another user', async () => {
    const id = await build();
    const link = linkIn(mailbox.mails[0]?.text ?? '', 'confirm');
    const another = await platform.user();
    const theirs = await buildNotification(another, { type: 'email', destination: STRANGER });
    const elsewhere = await build('other@example.org');
    const [token, signature] = [link.split('=')[1] ?? '', link.split('.').at(-1) ?? ''];
    const otherToken = linkIn(mailbox.to('other@example.org')[0] ?? '', 'confirm').split('=')[1] ?? '';
    const mixed = `/confirm?token=${otherToken.split('.')[0]}.${signature}`;
    assert.notEqual(otherToken, token);
    assert.equal((await click(mixed)).status, 404);
    await click(link);
    assert.equal((await record(id)).confirmed, true);
    assert.equal((await record(elsewhere)).confirmed, false);
    assert.equal((await another.api.get(`/notifications/${theirs}`)).body.notification.confirmed, false);
  });

  it('of the address of an account is asked for by the welcome mail, and by nothing else', async () => {
    const fields = { username: `${user.username}-new`, email: STRANGER, password: user.password };
    assert.equal((await platform.anonymous.post('/users', { user: fields })).status, 201);
    const login = await platform.anonymous.post('/login', { username: fields.username, password: fields.password });
    const api = apiClient(platform.url, { 'X-SESSION_ID': login.body.session_id });
    const { sensorId, notificationIds } = await buildAlarm(
      { ...user, api },
      {
        trigger: {},
        notifications: [{ type: 'email', destination: STRANGER, text: 'buy this' }],
      },
    );
    const [id = ''] = notificationIds;
    const confirmed = async () => (await api.get(`/notifications/${id}`)).body.notification.confirmed;
    assert.equal(await confirmed(), false);
    assert.equal((await api.post(`/notifications/${id}/test?wait=0`)).status, 409);
    await upload({ api }, sensorId, { value: 31 });
    await platform.settle();
    const [delivery] = (await api.get(`/deliveries?notification_id=${id}`)).body.deliveries;
    assert.equal(delivery.attempts[0].error, 'the recipient has not confirmed the address yet');
    const change = { current_password: fields.password, new_password: 'b'.repeat(32) };
    assert.equal((await api.post('/change_password', change)).status, 200);
    const [welcome = '', ...others] = mailbox.to(STRANGER);
    assert.deepEqual(others, [], 'nor is a new password reported');
    assert.match(welcome, /^Subject: Confirm your address for alerts \(sensors\.example\.org\)\r$/m);
    assert.notEqual(linkIn(welcome, 'unsubscribe'), '');
    assert.equal((await click(linkIn(welcome, 'confirm'))).status, 200);
    assert.equal(await confirmed(), true);
    assert.equal((await api.post(`/notifications/${id}/test?wait=0`)).status, 201);
    await platform.settle();
    assert.equal(mailbox.to(STRANGER).length, 2);
    await api.post('/change_password', { current_password: change.new_password, new_password: 'c'.repeat(32) });
    assert.match(mailbox.to(STRANGER).at(-1) ?? '', /the password of your account number/);
  });

  it('of the address of an account is asked for by its first notification where no welcome mail was wanted', async () => {
    const own = `${user.username}@example.org`;
    assert.deepEqual(mailbox.mails, []);
    const [id] = [await build(own), await build(own)];
    assert.equal((await record(id)).confirmed, false);
    assert.equal((await test(id)).status, 409);
    const [question = '', ...others] = mailbox.to(own);
    assert.deepEqual(others, []);
    await click(linkIn(question, 'confirm'));
    assert.equal((await test(id)).status, 201);
  });

  it('is asked for when the address of an account changes', async () => {
    const changed = await user.api.put(`/users/${user.id}`, {
      user: { email: 'new@example.org', current_password: user.password },
    });
    assert.equal(changed.status, 200);
    assert.deepEqual(mailbox.to(`${user.username}@example.org`), [], 'the former address was not confirmed');
    const moved = await build('new@example.org');
    assert.equal((await record(moved)).confirmed, false);
    assert.equal((await test(moved)).status, 409);
    const [question = '', ...others] = mailbox.to('new@example.org');
    assert.deepEqual(others, []);
    await click(linkIn(question, 'confirm'));
    assert.equal((await test(moved)).status, 201);
  });

  it('is not needed for links to a new password, of which an address that has not confirmed gets three an hour', async () => {
    const own = `${user.username}@example.org`;
    const others = [await platform.user({ email: own }), await platform.user({ email: own })];
    const statuses: number[] = [];
    for (const { username } of [user, user, ...others]) {
      statuses.push((await platform.anonymous.post('/requestPasswordReset', { username })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    assert.equal(mailbox.to(own).length, 3);
    const id = await build(own);
    await click(linkIn(mailbox.to(own)[3] ?? '', 'confirm'));
    assert.equal((await record(id)).confirmed, true);
    assert.equal((await platform.anonymous.post('/requestPasswordReset', { username: user.username })).status, 200);
  });

  it('waits when the mail server does not take the question', async () => {
    const id = await build();
    await platform.query('UPDATE mail_recipients SET asked = 0 WHERE address = ?', [STRANGER]);
    const { mailer } = platform.container;
    const send = mailer.send.bind(mailer);
    Object.assign(mailer, { send: () => Promise.reject(new Error('away')) });
    const failed = await user.api.post(`/notifications/${id}/request_confirmation`);
    assert.deepEqual([failed.status, failed.headers.get('retry-after')], [503, '30']);
    Object.assign(mailer, { send });
    assert.equal((await user.api.post(`/notifications/${id}/request_confirmation`)).status, 200);
  });

  it('ends with the account', async () => {
    await build();
    await buildSensor(user);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    assert.deepEqual(await platform.query('SELECT id FROM mail_recipients WHERE owner_id = ?', [user.id]), []);
  });
});

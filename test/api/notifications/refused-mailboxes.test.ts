import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { linkIn, Mailbox } from '../../support/mailbox';
import type { TestUser } from '../../support/platform';

const HOUR_MS = 3_600_000;
const WARD = 'ward@example.org';
const REASON = 'the recipient takes no mails of any account of this platform';

describe('a mailbox that takes no mails of any account', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const user = useUserPerTest(platform);
  beforeEach(async () => {
    clock.advance(2 * HOUR_MS);
    await platform.query('DELETE FROM refused_mailboxes');
  });

  const build = (owner: TestUser, destination = WARD) => buildNotification(owner, { type: 'email', destination });
  const record = async (owner: TestUser, id: string) => (await owner.api.get(`/notifications/${id}`)).body;
  const click = (link: string) => platform.anonymous.post(link);
  const refuseAll = async (link: string) => {
    clock.advance(1_000);
    assert.equal((await click(`${link.replace('confirm', 'unsubscribe')}&from=everybody`)).status, 200);
    clock.advance(1_000);
  };
  /** The link to confirm in the only mail since the last look. */
  const nextLink = () => {
    const [mail, ...others] = mailbox.mails.splice(0);
    assert.deepEqual(others, []);
    return linkIn(mail?.text ?? '', 'confirm');
  };
  const confirmedOne = async (owner: TestUser) => {
    const id = await build(owner);
    const link = nextLink();
    await click(link);
    assert.equal((await record(owner, id)).notification.confirmed, true);
    return { id, link };
  };

  it('gets no alerts of those whom it had allowed, nor tests, and the record says why', async () => {
    const { id, link } = await confirmedOne(user);
    const { sensorId, notificationIds } = await buildAlarm(user, {
      trigger: {},
      notifications: [{ type: 'email', destination: 'Ward+alarms@Example.org' }],
    });
    await click(nextLink());
    await refuseAll(link);
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    const [delivery] = (await user.api.get(`/deliveries?notification_id=${notificationIds[0]}`)).body.deliveries;
    assert.deepEqual([delivery.status, delivery.attempts[0].error], ['failed', REASON]);
    for (const each of [id, notificationIds[0] ?? '']) {
      const refused = await user.api.post(`/notifications/${each}/test?wait=0`);
      assert.deepEqual([refused.status, refused.body.error], [409, REASON]);
      const { notification, warning } = await record(user, each);
      assert.equal(notification.confirmed, false);
      assert.match(warning, new RegExp(REASON));
    }
    const { notifications } = (await user.api.get('/notifications')).body;
    assert.deepEqual(
      new Set(notifications.map(({ confirmed }: { confirmed: boolean }) => confirmed)),
      new Set([false]),
    );
    assert.deepEqual(mailbox.mails, []);
  });

  it('is neither welcomed nor asked, in any letter case and with any tag', async () => {
    await build(user);
    await refuseAll(nextLink());
    const other = await platform.user();
    for (const address of [WARD, 'WARD+a@example.org']) {
      const id = await build(other, address);
      const { notification, warning } = await record(other, id);
      assert.equal(notification.confirmed, false);
      assert.match(warning, new RegExp(REASON));
      const again = await other.api.post(`/notifications/${id}/request_confirmation`);
      assert.deepEqual([again.status, again.body.error], [409, `${REASON}: only they can allow them again`]);
      const fields = { username: `new-${other.username}-${address.length}`, email: address, password: other.password };
      assert.equal((await platform.anonymous.post('/users', { user: fields })).status, 201);
    }
    assert.deepEqual(mailbox.mails, []);
  });

  it('gets links to new passwords only for accounts that it has confirmed', async () => {
    const own = await platform.user({ email: WARD });
    const foreign = await platform.user({ email: WARD });
    await confirmedOne(own);
    await build(foreign);
    await refuseAll(nextLink());
    const reset = (body: object) => platform.anonymous.post('/requestPasswordReset', body);
    const refused = await reset({ username: foreign.username });
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /takes no mails about it: only its owner can allow them/);
    assert.deepEqual(mailbox.mails, []);
    assert.equal((await reset({ email: WARD })).status, 200);
    const [mail, ...others] = mailbox.to(WARD);
    assert.deepEqual(others, []);
    assert.match(mail ?? '', new RegExp(`your account number ${own.id}\\.`));
  });

  it('gets mails of a user again whom it allows afterwards, and of nobody else', async () => {
    const { id, link } = await confirmedOne(user);
    const other = await platform.user();
    const theirs = await confirmedOne(other);
    await refuseAll(link);
    assert.equal((await click(link)).status, 200);
    assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).status, 201);
    assert.equal((await record(user, id)).warning, undefined);
    assert.equal((await other.api.post(`/notifications/${theirs.id}/test?wait=0`)).status, 409);
    await refuseAll(theirs.link);
    assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).status, 409, 'it says so again');
  });

  it('takes it back with any link, after which its decisions about single users count again', async () => {
    const { id } = await confirmedOne(user);
    const [other, third] = [await platform.user(), await platform.user()];
    const theirs = await build(other);
    const link = nextLink();
    await click(link.replace('confirm', 'unsubscribe'));
    await refuseAll(link);
    const late = await build(third);
    assert.equal((await click(`${link}&from=everybody`)).status, 200);
    assert.equal((await record(user, id)).notification.confirmed, true);
    assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).status, 201);
    assert.equal((await record(other, theirs)).notification.disabled_reason, 'unsubscribed');
    assert.equal((await third.api.post(`/notifications/${late}/request_confirmation`)).status, 200);
    assert.equal((await click(nextLink())).status, 200);
    assert.equal((await record(third, late)).notification.confirmed, true);
  });

  it('is not made by one click in a mail program, which ends the mails of one user', async () => {
    const { id, link } = await confirmedOne(user);
    const other = await platform.user();
    const theirs = await confirmedOne(other);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await platform.anonymous.post(link.replace('confirm', 'unsubscribe'), 'List-Unsubscribe=One-Click', form);
    assert.equal((await record(user, id)).notification.enabled, false);
    assert.equal((await other.api.post(`/notifications/${theirs.id}/test?wait=0`)).status, 201);
  });

  it('is kept as a hash', async () => {
    await build(user);
    await refuseAll(nextLink());
    const [row] = await platform.query('SELECT * FROM refused_mailboxes');
    assert.match(String(row?.mailbox), /^[0-9a-f]{64}$/);
  });
});

describe('a mailbox that takes no mails where nothing has to be confirmed', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off' } }));
  const user = useUserPerTest(platform);

  it('gets none, also of accounts that come later', async () => {
    const id = await buildNotification(user, { type: 'email', destination: WARD });
    assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).status, 201);
    await platform.settle();
    const link = linkIn(mailbox.to(WARD)[0] ?? '', 'unsubscribe');
    assert.equal((await platform.anonymous.post(`${link}&from=everybody`)).status, 200);
    const other = await platform.user({ email: WARD });
    const theirs = await buildNotification(other, { type: 'email', destination: WARD });
    assert.equal((await other.api.post(`/notifications/${theirs}/test?wait=0`)).status, 409);
    assert.equal((await platform.anonymous.post('/requestPasswordReset', { username: other.username })).status, 409);
    assert.equal(mailbox.to(WARD).length, 1);
  });
});

import assert from 'node:assert/strict';
import { buildNotification, buildSensor } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { until } from '../../support/until';

const HOUR_MS = 3_600_000;
const STRANGER = 'ward@example.org';

describe('the limits of mails', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({
    clock,
    config: { ...mailbox.settings, MAIL_PER_ADDRESS_HOUR: '6', MAIL_PER_USER_HOUR: '10', RATE_LIMIT_TESTS: '50' },
  }));
  const user = useUserPerTest(platform);
  beforeEach(() => clock.advance(2 * HOUR_MS));

  const build = (destination: string) => buildNotification(user, { type: 'email', destination });
  const test = (id: string) => user.api.post(`/notifications/${id}/test?wait=0`);
  /** Makes events that notify by this notification. */
  const subscribed = async (id: string) => {
    const fields = { name: 'by mail', event: 'add_sensor', notification_id: id };
    await user.api.post('/events/notifications', { event_notification: fields });
  };
  const statuses = async (id: string) => {
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}&per_page=1000`)).body;
    return deliveries.map(({ status }: { status: string }) => status);
  };

  it('keep a stranger from more than three welcome mails an hour', async () => {
    const password = 'a'.repeat(32);
    for (let index = 0; index < 20; index += 1) {
      const fields = { username: `${user.username}-${index}`, email: `ward+${index}@example.org`, password };
      assert.equal((await platform.anonymous.post('/users', { user: fields })).status, 201);
    }
    assert.equal(mailbox.mails.length, 3);
  });

  it('allow a tenth of the tests of an hour in a minute, through any channel', async () => {
    const id = await buildNotification(user);
    const responses = await Promise.all(Array.from({ length: 30 }, () => test(id)));
    const refused = responses.filter(({ status }) => status === 429);
    assert.equal(refused.length, 25);
    assert.equal(refused[0]?.headers.get('retry-after'), '60');
    clock.advance(60_000);
    assert.equal((await test(id)).status, 201);
    const { deliveries } = (await user.api.get('/deliveries')).body;
    assert.equal(deliveries.length, 6);
    for (let index = 0; index < 4; index += 1) {
      assert.notEqual((await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`)).status, 429);
    }
    assert.equal((await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`)).status, 429);
    assert.equal((await user.api.post(`/notifications/${id}/redeliver`)).status, 429);
  });

  it('let few of many tests at once through to the mail server', async () => {
    const own = `${user.username}@example.org`;
    const id = await build(own);
    await Promise.all(Array.from({ length: 30 }, () => test(id)));
    await platform.settle();
    assert.equal(mailbox.to(own).length, 5);
  });

  it('let no more mails out in an hour, and lose none', async () => {
    const id = await build(STRANGER);
    await subscribed(id);
    for (let index = 0; index < 15; index += 1) await buildSensor(user);
    await platform.settle();
    assert.equal(mailbox.mails.length, 6);
    const refused = await test(id);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 3_500);
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}&status=pending`)).body;
    assert.deepEqual([deliveries.length, deliveries[0].attempts], [9, []]);
    assert.ok(deliveries[0].next_attempt * 1000 >= clock.now() + HOUR_MS - 60_000);
    for (let hour = 0; hour < 2; hour += 1) {
      clock.advance(HOUR_MS + 60_000);
      await platform.settle();
    }
    assert.equal(mailbox.mails.length, 15);
    assert.deepEqual([...new Set(await statuses(id))], ['delivered']);
  });

  it('count an address over all users and spellings, and a user over all addresses', async () => {
    const another = await platform.user();
    const theirs = await buildNotification(another, { type: 'email', destination: 'WARD+x@example.org' });
    const addresses = [STRANGER, 'one@example.org', 'two@example.org', 'three@example.org'];
    for (const address of addresses) await subscribed(await build(address));
    for (let index = 0; index < 4; index += 1) await buildSensor(user);
    await platform.settle();
    assert.equal(mailbox.mails.length, 10, 'of 16 of the user');
    let allowed = 0;
    while ((await another.api.post(`/notifications/${theirs}/test?wait=0`)).status === 201) {
      await platform.settle();
      allowed += 1;
    }
    assert.equal(allowed + mailbox.to(STRANGER).length, 6);
  });

  it('hold for two workers at once, after a redelivery of many', async () => {
    const id = await build(STRANGER);
    await test(id);
    await platform.settle();
    mailbox.mails.length = 0;
    clock.advance(HOUR_MS);
    const copies = Array.from({ length: 200 }, () => 'SELECT 1').join(' UNION ALL ');
    await platform.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, receiver, text, status, created_ms)
       SELECT UUID(), owner_id, notification_id, kind, type, destination, receiver, text, 'failed', created_ms
       FROM deliveries JOIN (${copies}) copies WHERE notification_id = ?`,
      [id],
    );
    assert.equal((await user.api.post(`/notifications/${id}/redeliver`)).body.redelivered, 200);
    await platform.startWorkers(['deliveries', 'schedule'], 2);
    try {
      await until('every mail is sent or waits for the next hour', async () => {
        const [row] = await platform.query(
          `SELECT COUNT(*) AS due FROM deliveries WHERE notification_id = ? AND status = 'pending'
             AND (next_attempt_ms IS NULL OR next_attempt_ms <= ? OR lease IS NOT NULL)`,
          [id, clock.now()],
        );
        return row?.due === 0;
      });
    } finally {
      await platform.stopWorkers();
    }
    assert.equal(mailbox.mails.length, 6);
    assert.equal((await statuses(id)).filter((status: string) => status === 'pending').length, 194);
  });

  it('allow twenty links to new passwords an hour, whatever else was mailed', async () => {
    const own = `${user.username}@example.org`;
    const id = await build(own);
    await subscribed(id);
    for (let index = 0; index < 7; index += 1) await buildSensor(user);
    await platform.settle();
    assert.equal(mailbox.to(own).length, 6);
    const others = await Promise.all(Array.from({ length: 4 }, () => platform.user({ email: own })));
    for (const { username } of [user, ...others]) {
      for (let index = 0; index < 4; index += 1) await platform.anonymous.post('/requestPasswordReset', { username });
    }
    assert.equal(mailbox.to(own).length, 26);
    const refused = await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 3_000);
  });
});

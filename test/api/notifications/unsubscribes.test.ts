import assert from 'node:assert/strict';
import { ALL_USERS } from '../../../jobs/event.job';
import { handleEvents } from '../../../workers/event.worker';
import { buildNotification, buildSensor } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { subscribe } from '../../support/subscribe';

const DAY_MS = 86_400_000;

describe('unsubscribing', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: mailbox.settings }));
  const user = useUserPerTest(platform);
  const receiver = useReceiver();

  const build = (text = 'hot') => buildNotification(user, { type: 'email', destination: 'ward@example.org', text });
  const mail = async (id: string) => {
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    return mailbox.mails.at(-1)?.text ?? assert.fail('no mail arrived');
  };
  const linkIn = (text: string) =>
    /^List-Unsubscribe: <https:\/\/sensors\.example\.org\/api(\/unsubscribe\?token=[\w.-]+)>/m.exec(text)?.[1] ?? '';
  const record = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification;
  /** As mail programs do. */
  const click = (link: string, type = 'application/x-www-form-urlencoded', body = 'List-Unsubscribe=One-Click') =>
    platform.anonymous.post(link, body, { 'Content-Type': type });

  it('is offered in the header and the HTML of every mail, and in the text of one that has none of its own', async () => {
    assert.ok(!(await mail(await build())).includes('To stop these mails'));
    const text = await mail(await build(''));
    const url = `https://sensors.example.org/api${linkIn(text)}`;
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.ok(text.includes(`To stop these mails: ${url}\r\n`));
    assert.ok(text.includes(`href="${url}">Stop these mails</a>`));
  });

  it('works by one click in the mail program, without a session', async () => {
    await subscribe(user, receiver.url, 'update_notification');
    const id = await build();
    const link = linkIn(await mail(id));
    const response = await click(link);
    assert.deepEqual([response.status, response.body], [200, {}]);
    const { enabled, disabled_reason } = await record(id);
    assert.deepEqual([enabled, disabled_reason], [false, 'unsubscribed']);
    assert.equal((await click(link)).status, 200, 'a repetition is harmless');
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => [form.event, form.subject_id]),
      [['update_notification', id]],
    );
  });

  it('accepts a body of any type, or none', async () => {
    const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    for (const [type, body] of [
      ['multipart/form-data; boundary=x', multipart],
      ['application/json', '{'],
      ['text/plain', ''],
    ] as const) {
      const id = await build();
      assert.equal((await click(linkIn(await mail(id)), type, body)).status, 200, type);
      assert.equal((await record(id)).enabled, false);
    }
  });

  it('requires a confirmation after following the link, as mail scanners do that, too', async () => {
    const id = await build();
    const link = linkIn(await mail(id));
    const page = await platform.anonymous.get(link);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.body, /<form method="post">[\s\S]*<button>Unsubscribe<\/button>/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal((await record(id)).enabled, true);
    assert.equal((await platform.anonymous.delete(link)).status, 405);
  });

  it('works with every link that was ever mailed to the address', async () => {
    const id = await build();
    const link = linkIn(await mail(id));
    await user.api.post(`/notifications/${id}/rotate_secret`);
    assert.equal(linkIn(await mail(id)), link);
    await user.api.delete(`/notifications/${id}`);
    clock.advance(1000 * DAY_MS);
    assert.equal((await click(link)).status, 200);
  });

  it('fails pending deliveries, and can be reversed by the recipient only', async () => {
    const id = await build();
    const link = linkIn(await mail(id));
    const fields = { name: 'by mail', event: 'add_sensor', notification_id: id };
    await user.api.post('/events/notifications', { event_notification: fields });
    const addSensor = async () => {
      await buildSensor(user);
      await handleEvents(ALL_USERS, platform.container);
    };
    await addSensor();
    await click(link);
    await platform.settle();
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}&status=failed`)).body;
    assert.equal(deliveries[0].attempts[0].error, 'the notification is switched off (unsubscribed)');
    const refused = await user.api.put(`/notifications/${id}`, { notification: { enabled: 1 } });
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /only they can allow them again/);
    await addSensor();
    await platform.settle();
    assert.equal(mailbox.mails.length, 1);
    assert.equal((await platform.anonymous.post(link.replace('unsubscribe', 'confirm'))).status, 200);
    const { enabled, confirmed, disabled_reason } = await record(id);
    assert.deepEqual([enabled, confirmed, disabled_reason], [true, true, '']);
    await addSensor();
    await platform.settle();
    assert.equal(mailbox.mails.length, 2);
  });

  it('ends all mails of the user to the address, and none of another user or to another address', async () => {
    const [id, second, elsewhere] = [
      await build(),
      await buildNotification(user, { type: 'email', destination: 'WARD@example.org' }),
      await buildNotification(user, { type: 'email', destination: 'other@example.org' }),
    ];
    const another = await platform.user();
    const theirs = await buildNotification(another, { type: 'email', destination: 'ward@example.org' });
    const link = linkIn(await mail(id));
    assert.equal((await click(link)).status, 200);
    const third = await build();
    mailbox.mails.length = 0;
    for (const one of [id, second, third]) {
      const { enabled, confirmed, disabled_reason } = await record(one);
      assert.deepEqual([enabled, confirmed, disabled_reason], [false, false, 'unsubscribed'], one);
      assert.equal((await user.api.post(`/notifications/${one}/test?wait=0`)).status, 409);
    }
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    assert.equal((await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`)).status, 409);
    assert.equal((await user.api.post(`/notifications/${id}/request_confirmation`)).status, 409);
    const moved = await user.api.put(`/notifications/${elsewhere}`, {
      notification: { destination: 'Ward@example.org' },
    });
    assert.deepEqual([moved.status, moved.body.notification.enabled], [200, false]);
    await platform.settle();
    assert.deepEqual(mailbox.mails, []);
    await another.api.post(`/notifications/${theirs}/test?wait=0`);
    await platform.settle();
    assert.deepEqual(mailbox.mails.length, 1);
  });

  it('is refused with anything but the token from the mail', async () => {
    const [id, other] = [await build(), await build()];
    const token = linkIn(await mail(id)).split('=')[1] ?? '';
    const [number = '', signature = ''] = token.split('.');
    const flipped = `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`;
    const wrong: [string, number][] = [
      ['', 400],
      ['?token=', 400],
      ['?token=x', 400],
      [`?token=${number}`, 400],
      [`?token=${number}.`, 400],
      [`?token=${signature}`, 400],
      [`?token=${token}A`, 400],
      [`?token=${id}.${signature}`, 400],
      [`?token=a0.${signature}`, 404],
      [`?token=a999999999999999.${signature}`, 404],
      [`?token=a${Number(number.slice(1)) + 1}.${signature}`, 404],
      [`?token=${number}.${flipped}`, 404],
    ];
    for (const [query, status] of wrong) {
      assert.equal((await click(`/unsubscribe${query}`)).status, status, query);
      assert.equal((await platform.anonymous.post(`/confirm${query}`)).status, status, query);
    }
    await user.api.put(`/notifications/${id}`, { notification: { destination: 'other@example.org' } });
    assert.equal((await click(`/unsubscribe?token=${token}`)).status, 200, 'a token of the previous address');
    assert.equal((await record(id)).enabled, true, 'it goes to another address by now');
    assert.equal((await record(other)).enabled, false);
  });
});

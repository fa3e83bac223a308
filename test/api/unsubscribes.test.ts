import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { handleEvents } from '../../workers/event.worker';
import { buildNotification, buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { listenForMail, mailServer } from '../support/mail-server';
import { subscribe } from '../support/subscribe';

const DAY_MS = 86_400_000;

describe('unsubscribing', () => {
  const mails: string[] = [];
  const smtp = mailServer({
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void buffer(stream).then((mail) => {
        // Long lines are folded, and wrapped as quoted-printable.
        mails.push(
          mail
            .toString()
            .replaceAll('=\r\n', '')
            .replaceAll('=3D', '=')
            .replace(/\r\n[ \t]+/g, ' '),
        );
        done();
      });
    },
  });
  const clock = fakeClock();
  let port = 0;
  before(async () => {
    port = await listenForMail(smtp);
  });
  const platform = usePlatform(() => ({
    clock,
    config: { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: 'https://sensors.example.org/api' },
  }));
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  after(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  beforeEach(() => {
    mails.length = 0;
  });

  const build = () => buildNotification(user, { type: 'email', destination: 'ward@example.org', text: 'hot' });
  const mail = async (id: string) => {
    await user.api.post(`/notifications/${id}/test`);
    await platform.settle();
    return mails.at(-1) ?? assert.fail('no mail arrived');
  };
  const linkIn = (text: string) =>
    /^List-Unsubscribe: <https:\/\/sensors\.example\.org\/api(\/unsubscribe\?token=[\w.-]+)>/m.exec(text)?.[1] ?? '';
  const record = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification;
  /** As mail programs do. */
  const click = (link: string, type = 'application/x-www-form-urlencoded', body = 'List-Unsubscribe=One-Click') =>
    platform.anonymous.post(link, body, { 'Content-Type': type });

  it('is offered in the header, the text and the HTML of every mail', async () => {
    const text = await mail(await build());
    const url = `https://sensors.example.org/api${linkIn(text)}`;
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.ok(text.includes(`To stop these mails: ${url}\r\n`));
    assert.ok(text.includes(`<a href="${url}">Stop these mails</a>`));
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
    assert.match(page.body, /<form id="form" method="post">[\s\S]*<button>Unsubscribe<\/button>/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal((await platform.anonymous.get('/unsubscribe/page.js')).status, 200);
    assert.equal((await record(id)).enabled, true);
    assert.equal((await platform.anonymous.delete(link)).status, 405);
  });

  it('works for 90 days with links from before the signing secret was replaced', async () => {
    const id = await build();
    const link = linkIn(await mail(id));
    await user.api.post(`/notifications/${id}/rotate_secret`);
    const newer = linkIn(await mail(id));
    assert.notEqual(newer, link);
    clock.advance(90 * DAY_MS - 1);
    assert.equal((await click(link)).status, 200);
    clock.advance(1);
    assert.equal((await click(link)).status, 404);
    assert.equal((await click(newer)).status, 200);
  });

  it('fails pending deliveries, and can be reversed by the owner', async () => {
    const id = await build();
    const link = linkIn(await mail(id));
    const fields = { name: 'by mail', event: 'add_sensor', notification_id: id };
    await user.api.post('/events/notifications', { event_notification: fields });
    const addSensor = async () => {
      await buildSensor(user);
      await handleEvents(platform.container);
    };
    await addSensor();
    await click(link);
    await platform.settle();
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}&status=failed`)).body;
    assert.equal(deliveries[0].attempts[0].error, 'the notification is switched off (unsubscribed)');
    assert.equal(mails.length, 1);
    await user.api.put(`/notifications/${id}`, { notification: { enabled: 1 } });
    await addSensor();
    await platform.settle();
    assert.equal(mails.length, 2);
  });

  it('is refused with anything but the token from the mail', async () => {
    const [id, other] = [await build(), await build()];
    const token = linkIn(await mail(id)).split('=')[1] ?? '';
    const signature = token.split('.')[1] ?? '';
    const flipped = `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`;
    const wrong: [string, number][] = [
      ['', 400],
      ['?token=', 400],
      ['?token=x', 400],
      [`?token=${id}`, 400],
      [`?token=${id}.`, 400],
      [`?token=${signature}`, 400],
      [`?token=${token}A`, 400],
      [`?token=0.${signature}`, 404],
      [`?token=999999999999999.${signature}`, 404],
      [`?token=${other}.${signature}`, 404],
      [`?token=${id}.${flipped}`, 404],
    ];
    for (const [query, status] of wrong) assert.equal((await click(`/unsubscribe${query}`)).status, status, query);
    await user.api.put(`/notifications/${id}`, { notification: { destination: 'other@example.org' } });
    assert.equal((await click(`/unsubscribe?token=${token}`)).status, 404, 'a token of the previous address');
    for (const one of [id, other]) assert.equal((await record(one)).enabled, true);
    await user.api.delete(`/notifications/${id}`);
    assert.equal((await click(`/unsubscribe?token=${token}`)).status, 404);
  });
});

import assert from 'node:assert/strict';
import {
  acknowledgeToken,
  readAcknowledgeToken,
  recipientToken,
} from '../../../src/notifications/notifications/recipient-token';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { linkIn, Mailbox } from '../../support/mailbox';

const BROWSER = { Accept: 'text/html,application/xhtml+xml' };

describe('acknowledging by the link in a mail', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off' } }));
  const user = useUserPerTest(platform);

  const put = async (sensorId: string, value: number) => {
    clock.advance(61_000);
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  /** A firing by whose mail it can be acknowledged, and that link. */
  const fire = async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'greenhouse', display_name: 'Temperature (°C)' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 30', notify_resolved: true },
      notifications: [{ type: 'email', destination: 'Ward@example.org', text: 'Open the windows' }],
    });
    await put(sensorId, 31);
    const mail = mailbox.mails.at(-1)?.text ?? assert.fail('no mail arrived');
    const [firing] = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body.firings;
    return { sensorId, mail, link: linkIn(mail, 'acknowledge'), id: firing.id };
  };
  const record = async (id: string) => (await user.api.get(`/firings/${id}`)).body.firing;

  it('works without a session, and ends the repetition until the episode is over', async () => {
    const { sensorId, mail, link, id } = await fire();
    assert.match(mail, /^Subject: too warm on greenhouse\r$/m);
    assert.match(mail, /^Content-Type: text\/plain.*\r\n.*\r\n\r\nOpen the windows\r\n\r?\n?--/m);
    assert.match(mail, />Why<[\s\S]*?>above 30 =C2=B0C</);
    const chart = `https://sensors.example.org/api/console/sensors/${sensorId}?at=${clock.now() / 1000}`;
    assert.ok(mail.includes(`href="${chart}">Chart of greenhouse<`), mail);
    const page = await platform.anonymous.get(link);
    assert.match(page.body, /<form method="post">[\s\S]*<button>Acknowledge<\/button>/);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.match(page.body, /<strong>too warm on greenhouse<\/strong><br>since \d+ \w+ \d{4}, [\d:]+ UTC<\/p>/);
    assert.ok(!page.body.includes('Temperature'), 'no more than the title');
    assert.equal((await record(id)).acknowledged, null, 'looking at the page acknowledges nothing');
    const { status, body } = await platform.anonymous.post(link);
    assert.deepEqual([status, body], [200, {}]);
    assert.deepEqual((await record(id)).acknowledged, {
      date: clock.now() / 1000,
      ...{ user_id: user.id, username: null, person: '' },
      note: 'by the link in a mail to ward@example.org',
    });
    const known = await platform.anonymous.get(link, BROWSER);
    assert.match(
      known.body,
      /<strong>too warm on greenhouse<\/strong>[\s\S]*Acknowledged on [^<]+ UTC, by the link in a mail\./,
    );
    assert.ok(!known.body.includes('<button>') && !known.body.includes('ward@'), known.body);
    await put(sensorId, 32);
    assert.equal(mailbox.mails.length, 1, 'it is not repeated');
    assert.equal((await platform.anonymous.post(link)).status, 200, 'a repetition is harmless');
    await put(sensorId, 20);
    assert.match(mailbox.mails.at(-1)?.text ?? '', /^Subject: Resolved: too warm on greenhouse\r$/m);
    assert.equal(linkIn(mailbox.mails.at(-1)?.text ?? '', 'acknowledge'), '', 'what is over needs no link');
    for (const late of [
      await platform.anonymous.get(link, BROWSER),
      await platform.anonymous.post(link, undefined, BROWSER),
    ]) {
      assert.equal(late.status, 409);
      assert.match(late.body, /role="alert">The episode has ended/);
      assert.ok(!late.body.includes('<button>'), 'what is over is not offered again');
    }
  });

  it('says on its page when and by what another user has acknowledged', async () => {
    const { link, id } = await fire();
    assert.equal((await user.api.post(`/firings/${id}/acknowledge`, { note: 'my private note' })).status, 200);
    const { body } = await platform.anonymous.get(link, BROWSER);
    assert.match(body, /Acknowledged on [^<]+ UTC, in the console or by the API\./);
    assert.ok(!body.includes('private note'));
  });

  it('answers a browser with the alert that it has acknowledged', async () => {
    const { link } = await fire();
    const { status, body } = await platform.anonymous.post(link, undefined, BROWSER);
    assert.equal(status, 200);
    assert.match(body, /too warm on greenhouse[\s\S]*Acknowledged on [^<]+, by the link in a mail\./);
  });

  it('is over while the account is disabled, unlike unsubscribing', async () => {
    const { mail, link, id } = await fire();
    const { userControl } = platform.container.services.operations;
    const account = { userId: Number(user.id), username: user.username, operator: 'test' };
    await userControl.disable(account);
    const [page, answer] = [await platform.anonymous.get(link, BROWSER), await platform.anonymous.post(link)];
    const unsubscribed = await platform.anonymous.post(linkIn(mail, 'unsubscribe'));
    await userControl.enable(account);
    assert.deepEqual([page.status, answer.status, unsubscribed.status], [404, 404, 200]);
    assert.match(page.body, /This link has ended/);
    assert.equal((await record(id)).acknowledged, null);
  });

  it('needs the token of exactly this firing and recipient', async () => {
    const [first, second] = [await fire(), await fire()];
    const token = first.link.split('token=')[1] ?? '';
    const parts = readAcknowledgeToken(token);
    assert.ok(parts);
    const [row] = await platform.query('SELECT id, address, secret FROM mail_recipients WHERE id = ?', [parts.id]);
    const { id, address, secret } = Object(row);
    const other = acknowledgeToken({ id, address, secret: `${secret}x` }, Number(second.id));
    const attempts: [string, number][] = [
      [token.replace(`-${first.id}.`, `-${second.id}.`), 404],
      [token.replace(/^k\d+/, 'k999999'), 404],
      [other, 404],
      [acknowledgeToken({ id, address, secret }, 2 ** 40), 404],
      [recipientToken({ id, address, secret }), 400],
      [token.slice(0, -1), 400],
      ['', 400],
    ];
    for (const [given, status] of attempts) {
      assert.equal((await platform.anonymous.post(`/acknowledge?token=${given}`)).status, status, given);
      const page = await platform.anonymous.get(`/acknowledge?token=${given}`, BROWSER);
      assert.equal(page.status, status, given);
      assert.match(page.body, /This link has ended/);
    }
    assert.equal((await platform.anonymous.post(`/unsubscribe?token=${token}`)).status, 400);
    assert.equal((await record(first.id)).acknowledged, null);
    assert.equal((await record(second.id)).acknowledged, null);
    const dead = await platform.anonymous.post(`/acknowledge?token=${other}`, undefined, BROWSER);
    assert.match(dead.body, /This link has ended/);
  });
});

import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform } from '../../support/hooks';
import { linkIn, Mailbox } from '../../support/mailbox';
import { until } from '../../support/until';

type Fields = Record<string, unknown>;

describe('the mails of an account in its language', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock(Date.UTC(2026, 6, 1, 22, 30, 15));
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  let count = 0;

  const register = async (user: Fields) => {
    const username = `reader${++count}`;
    const email = `${username}@example.org`;
    const fields = { username, email, password: 'a'.repeat(32), ...user };
    const { status, body } = await platform.anonymous.post('/users', { user: fields });
    assert.equal(status, 201, JSON.stringify(body));
    const login = await platform.anonymous.post('/login', { username, password: fields.password });
    const session: string = login.body.session_id;
    const api = apiClient(platform.url, { 'X-SESSION_ID': session });
    return { ...{ username, email, password: fields.password }, id: String(body.user.id), session, api };
  };
  const lastTo = (address: string) => {
    const [mail = assert.fail('no mail arrived')] = mailbox.to(address).slice(-1);
    const text = mail.replace(/(?:=[89A-F][0-9A-F])+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
    );
    const subject = /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? '';
    return { subject: wordsOf(subject), text: text.replaceAll('\r\n', '\n'), mail };
  };

  for (const { language, welcome, hello, alert, why, when, over, reset } of [
    {
      ...{
        language: 'de',
        hello: 'Guten Tag,',
        reset: 'Neues Passwort wählen',
        over: 'zu warm bei Gefriertruhe: beendet',
      },
      welcome: 'Bestätigen Sie Ihre Adresse für Alarme (sensors.example.org)',
      ...{
        alert: 'Kritisch: zu warm bei Gefriertruhe',
        why: /^Warum: +über −15,5 °C$/m,
        when: /^Wann: +1\. Juli 2026, /,
      },
    },
    {
      ...{ language: 'en', hello: 'Hello,', reset: 'Choose a new password', over: 'zu warm on Gefriertruhe: resolved' },
      welcome: 'Confirm your address for alerts (sensors.example.org)',
      ...{ alert: 'Critical: zu warm on Gefriertruhe', why: /^Why: +above −15\.5 °C$/m, when: /^When: +1 July 2026, / },
    },
    {
      ...{ language: null, hello: 'Hello,', reset: 'Choose a new password', over: 'zu warm on Gefriertruhe: resolved' },
      welcome: 'Confirm your address for alerts (sensors.example.org)',
      ...{ alert: 'Critical: zu warm on Gefriertruhe', why: /^Why: +above −15\.5 °C$/m, when: /^When: +1 July 2026, / },
    },
  ]) {
    it(`are ${language ?? 'English without one'}: welcome, alert and password`, async () => {
      const user = await register({ language });
      const first = lastTo(user.email);
      assert.equal(first.subject, welcome);
      assert.ok(first.text.includes(`\n${hello}\n`));
      assert.equal((await platform.anonymous.post(linkIn(first.mail, 'confirm'))).status, 200);
      const { sensorId } = await buildAlarm(user, {
        sensor: { name: 'Gefriertruhe', unit: '°C' },
        trigger: {
          name: 'zu warm',
          expression: 'sensor_data_value > -15.5',
          severity: 'critical',
          notify_resolved: true,
        },
        notifications: [{ type: 'email', destination: user.email, text: '' }],
      });
      await upload(user, sensorId, { value: -12.25, date: clock.now() / 1000 });
      await platform.settle();
      const mail = lastTo(user.email);
      assert.equal(mail.subject, alert);
      assert.match(mail.text, why);
      assert.match(mail.text, new RegExp(when.source, 'm'));
      clock.advance(1_000);
      await upload(user, sensorId, { value: -20, date: clock.now() / 1000 });
      await platform.settle();
      assert.ok(lastTo(user.email).text.includes(`\n${over}\n`), lastTo(user.email).text);
      await platform.anonymous.post('/requestPasswordReset', { username: user.username });
      assert.equal(lastTo(user.email).subject, reset);
    });
  }

  it('are German also about a new password, an event and a notification, and to an address that is asked', async () => {
    const user = await register({ language: 'de' });
    assert.equal((await platform.anonymous.post(linkIn(lastTo(user.email).mail, 'confirm'))).status, 200);
    const change = { current_password: user.password, new_password: 'b'.repeat(32) };
    assert.equal((await user.api.post('/change_password', change)).status, 200);
    const changed = lastTo(user.email);
    assert.equal(changed.subject, 'Ihr Konto wurde geändert');
    assert.match(changed.text, /^bei Ihrem Konto Nummer \d+ auf \S+ wurde Folgendes geändert: das Passwort\.$/m);
    await buildNotification(user, { type: 'email', destination: 'ward@example.org' });
    await until('the address is asked', () => mailbox.to('ward@example.org').length > 0);
    assert.equal(lastTo('ward@example.org').subject, 'Möchten Sie Alarme empfangen?');
    const id = await buildNotification(user, { type: 'email', destination: user.email, text: '' });
    const event = { event: 'add_sensor', notification_id: id };
    assert.equal((await user.api.post('/events/notifications', { event_notification: event })).status, 201);
    await user.api.post('/sensors', { sensor: { name: 'Keller' } });
    await platform.settle();
    const mail = lastTo(user.email);
    assert.equal(mail.subject, 'Ein Sensor wurde erstellt: Keller');
    assert.match(mail.text, /^Betrifft: +Sensor „Keller“$/m);
  });

  it('follow a change of the language, and leave the texts of users as they are', async () => {
    const user = await register({});
    assert.equal((await platform.anonymous.post(linkIn(lastTo(user.email).mail, 'confirm'))).status, 200);
    const text = 'It is $sensor_data_value';
    const { sensorId } = await buildAlarm(user, {
      trigger: { name: 'warm', expression: 'sensor_data_value > 1', repeat: null },
      notifications: [{ type: 'email', destination: user.email, text }],
    });
    await user.api.put(`/users/${user.id}`, { user: { language: 'de' } });
    await upload(user, sensorId, { value: 2.5, date: clock.now() / 1000 });
    await platform.settle();
    const { subject, text: received } = lastTo(user.email);
    assert.match(subject, /^warm bei /);
    assert.match(received, /It is 2\.5/);
    assert.match(received, /2,5/);
  });
});

/** Decodes the words of RFC 2047. */
function wordsOf(header: string): string {
  return header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(
            text
              .replaceAll('_', ' ')
              .replaceAll('%', '%25')
              .replace(/=([0-9A-F]{2})/g, '%$1'),
          ),
    );
}

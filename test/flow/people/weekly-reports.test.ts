import assert from 'node:assert/strict';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, type Fields } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { linkIn, Mailbox, partsOf } from '../../support/mailbox';
import type { TestUser } from '../../support/platform';
import { type AlertOwner, type StoredEpisode, storeEpisodes } from '../../support/random-alerts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BERLIN = 'Europe/Berlin';
/** A Thursday. */
const START = Date.parse('2026-10-08T12:00+02:00');

describe('the weekly report by mail', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock(START);
  const platform = usePlatform(() => ({ clock, config: mailbox.settings }));
  const ada = useUserPerTest(platform);
  const address = () => `${ada.username}@example.org`;

  const change = async (fields: Fields, user: TestUser = ada) => {
    const { status, body } = await user.api.put(`/users/${user.id}`, { user: fields });
    assert.equal(status, 200, JSON.stringify(body));
    return body.user;
  };
  const run = async () => {
    await platform.container.services.weeklyReports.run();
    await platform.settle();
  };
  /** Goes there, and returns how many reports have come to the address by then. */
  const cameUntil = async (date: string) => {
    clock.advance(Date.parse(date) - clock.now());
    await run();
    return mailbox.to(address()).length;
  };
  const lastMail = () => partsOf(mailbox.to(address()).at(-1) ?? assert.fail('no mail arrived'));

  const ownerOf = async (names: readonly string[]): Promise<AlertOwner> => {
    const sensorIds = [await buildSensor(ada)];
    const triggerIds: string[] = [];
    for (const name of names) {
      const id = await buildTrigger(ada, { name });
      await connectTrigger(ada, sensorIds[0] ?? '', id);
      triggerIds.push(id);
    }
    return { id: ada.id, sensorIds, triggerIds, notificationIds: [await buildNotification(ada)] };
  };
  /** An alert of a minute that was delivered at once. */
  const alert = (trigger: number, date: string, acknowledged = false): StoredEpisode => {
    const firedMs = Date.parse(date);
    const sent = { notification: 0, kind: 'firing', status: 'delivered', sentAfterMs: 0, digest: null } as const;
    return {
      ...{ sensor: 0, trigger, firings: [{ firedMs, deliveries: [sent] }], endedMs: firedMs + 60_000 },
      acknowledgedMs: acknowledged ? firedMs + 30_000 : null,
    };
  };

  afterEach(() => platform.query('UPDATE users SET weekly_report_due_ms = NULL'));

  it('is off by default, and takes a day and an hour', async () => {
    assert.equal((await ada.api.get('/users/current')).body.user.weekly_report, null);
    const time = { day: 'sunday', hour: 0 };
    assert.deepEqual((await change({ weekly_report: time })).weekly_report, time);
    assert.deepEqual((await change({ name: 'Ada' })).weekly_report, time);
    assert.deepEqual((await ada.api.get('/users/current')).body.user.weekly_report, time);
    const wrong = [
      { day: 'someday', hour: 8 },
      { day: 'monday', hour: 24 },
      { day: 'monday', hour: 1.5 },
      { day: 'monday' },
      'monday',
    ];
    for (const weekly_report of wrong) {
      const { status, body } = await ada.api.put(`/users/${ada.id}`, { user: { weekly_report } });
      assert.equal(status, 400, JSON.stringify(weekly_report));
      assert.match(JSON.stringify(body.fields), /weekly_report/);
    }
    assert.deepEqual((await change({ weeklyReportDay: 300, weekly_report_due_ms: 1 })).weekly_report, time);
    assert.equal((await change({ weekly_report: null })).weekly_report, null);
    assert.equal(await cameUntil('2026-10-25T12:00+01:00'), 0);
  });

  it('comes once a week by the clock of the account, also when the clocks change', async () => {
    clock.advance(START + 28 * DAY - clock.now());
    const next = (date: string) => cameUntil(date);
    await change({ timezone: BERLIN, weekly_report: { day: 'monday', hour: 8 } });
    assert.equal(await next('2026-11-09T07:59:59+01:00'), 0);
    assert.equal(await next('2026-11-09T08:00+01:00'), 1);
    assert.equal(await next('2026-11-09T08:00:30+01:00'), 1);
    assert.equal(await next('2026-11-16T07:59:59+01:00'), 1);
    assert.equal(await next('2026-11-16T08:00+01:00'), 2);
    await change({ timezone: 'America/New_York' });
    clock.advance(Date.parse('2027-03-08T08:00-05:00') - clock.now());
    await run();
    assert.equal(await next('2027-03-15T07:59:59-04:00'), 3, 'one after an outage of months');
    assert.equal(await next('2027-03-15T08:00-04:00'), 4);
  });

  it('follows a change of its time, and never comes twice in a day', async () => {
    clock.advance(Date.parse('2027-04-01T12:00Z') - clock.now());
    await change({ weekly_report: { day: 'friday', hour: 9 } });
    await change({ weekly_report: { day: 'saturday', hour: 9 } });
    assert.equal(await cameUntil('2027-04-02T12:00Z'), 0);
    assert.equal(await cameUntil('2027-04-03T09:00Z'), 1);
    await change({ weekly_report: { day: 'saturday', hour: 11 } });
    await change({ timezone: 'America/New_York' });
    assert.equal(await cameUntil('2027-04-04T00:00Z'), 1);
    await change({ timezone: null, weekly_report: { day: 'sunday', hour: 9 } });
    assert.equal(await cameUntil('2027-04-04T09:00Z'), 2);
    clock.advance(Date.parse('2027-04-11T09:00:10Z') - clock.now());
    await change({ timezone: 'Africa/Lagos' });
    assert.equal(await cameUntil('2027-04-11T09:00:20Z'), 3, 'what is due is not lost by a change');
    await change({ weekly_report: null });
    assert.equal(await cameUntil('2027-04-30T00:00Z'), 3);
  });

  it('comes once although several workers look at once', async () => {
    await change({ weekly_report: { day: 'monday', hour: 8 } });
    clock.advance(8 * DAY);
    const { weeklyReports } = platform.container.services;
    await Promise.all([1, 2, 3].map(() => weeklyReports.run()));
    await platform.settle();
    assert.equal(mailbox.to(address()).length, 1);
  });

  for (const { language, subject, texts, stop } of [
    {
      ...{ language: 'en', subject: 'Your week: 5 alerts', stop: 'To stop these mails' },
      texts: [
        'From 10 May 2027 to 17 May 2027, compared with the week before.',
        /^Alerts: +5, 3 more$/m,
        /^Messages: +5, 3 more$/m,
        /^At night: +1, 1 more$/m,
        /^Acknowledged: +1, as before$/m,
        /^Ended alone: +4, 3 more$/m,
        /^Noisiest: +too warm: 3 alerts, 3 messages\nThen: +too cold: 1 alert, 1 message\nThen: +too wet: 1 alert, 1 message$/m,
        /^See the report: https:\/\/sensors\.example\.org\/api\/console\/reports\/alerts$/m,
      ],
    },
    {
      ...{ language: 'de', subject: 'Ihre Woche: 5 Alarme', stop: 'Um diese Mails zu beenden' },
      texts: [
        'Vom 10. Mai 2027 bis zum 17. Mai 2027, verglichen mit der Woche davor.',
        /^Alarme: +5, 3 mehr$/m,
        /^Am lautesten: +too warm: 3 Alarme, 3 Nachrichten\nDanach: +too cold: /m,
        /^Zum Bericht: /m,
      ],
    },
  ]) {
    it(`compares the week with the one before, in ${language}`, async () => {
      clock.advance(Date.parse('2027-05-14T12:00Z') - clock.now());
      await change({ language, timezone: BERLIN, weekly_report: { day: 'monday', hour: 8 } });
      const owner = await ownerOf(['too cold', 'too warm', 'too wet', 'calm']);
      await storeEpisodes(platform, owner, [
        ...[alert(0, '2027-05-04T12:00+02:00'), alert(0, '2027-05-10T07:59:59+02:00', true)],
        ...[
          alert(1, '2027-05-10T08:00+02:00'),
          alert(1, '2027-05-11T12:00+02:00', true),
          alert(0, '2027-05-12T12:00+02:00'),
        ],
        ...[
          alert(1, '2027-05-13T23:00+02:00'),
          alert(2, '2027-05-17T07:59:59+02:00'),
          alert(3, '2027-05-17T08:00+02:00'),
        ],
      ]);
      assert.equal(await cameUntil('2027-05-17T08:00:05+02:00'), 1);
      const mail = lastMail();
      assert.equal(mail.subject, subject);
      const [heading = '', ...lines] = texts;
      for (const shown of [mail.html, mail.plain]) assert.ok(shown.includes(String(heading)), shown);
      for (const line of lines) assert.match(mail.plain, line as RegExp);
      assert.ok(mail.plain.includes(stop) && mail.html.includes('too warm: 3 '), mail.html);
      clock.advance(-(clock.now() - Date.parse('2027-05-01T00:00Z')));
    });
  }

  it('says in a sentence that a week was quiet', async () => {
    clock.advance(Date.parse('2027-06-18T12:00Z') - clock.now());
    await change({ weekly_report: { day: 'monday', hour: 8 } });
    await storeEpisodes(platform, await ownerOf(['too warm']), [alert(0, '2027-06-12T12:00Z')]);
    await cameUntil('2027-06-21T08:00Z');
    const { subject, plain } = lastMail();
    assert.equal(subject, 'A quiet week');
    assert.match(plain, /No alert began from 14 June 2027 to 21 June 2027, after 1 alert in the week before\.\n/);
    await cameUntil('2027-06-28T08:00Z');
    assert.match(lastMail().plain, /No alert began from 21 June 2027 to 28 June 2027\.\n/);
  });

  it('comes again until the mail server takes it, and ends when its reader unsubscribes', async () => {
    clock.advance(Date.parse('2027-07-02T12:00Z') - clock.now());
    await change({ weekly_report: { day: 'monday', hour: 8 } });
    mailbox.refuseNext(1);
    assert.equal(await cameUntil('2027-07-05T08:00Z'), 0);
    clock.advance(10_000);
    await platform.settle();
    const [mail = ''] = mailbox.to(address());
    assert.match(mail, /^List-Unsubscribe-Post: /m);
    assert.equal((await platform.anonymous.post(linkIn(mail, 'unsubscribe'))).status, 200);
    assert.equal(await cameUntil('2027-07-12T08:00Z'), 1);
    assert.deepEqual((await ada.api.get('/deliveries')).body.deliveries, []);
  });
});

describe('the weekly report to an address', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock(START);
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const ada = useUserPerTest(platform);

  it('comes only once that is confirmed, and not to a disabled account', async () => {
    const address = `${ada.username}@example.org`;
    const reports = () => mailbox.to(address).filter((mail) => mail.includes('Subject: A quiet week'));
    const week = async () => {
      clock.advance(7 * DAY);
      await platform.container.services.weeklyReports.run();
      await platform.settle();
    };
    await ada.api.put(`/users/${ada.id}`, { user: { weekly_report: { day: 'monday', hour: 8 } } });
    await week();
    assert.equal(reports().length, 0);
    await buildNotification(ada, { type: 'email', destination: address });
    const link = linkIn(mailbox.to(address)[0] ?? '', 'confirm');
    assert.equal((await platform.anonymous.post(link)).status, 200);
    await week();
    assert.equal(reports().length, 1);
    await platform.query('UPDATE users SET disabled_ms = 1 WHERE id = ?', [ada.id]);
    await week();
    assert.equal(reports().length, 1);
    await platform.query('UPDATE users SET disabled_ms = NULL WHERE id = ?', [ada.id]);
    await week();
    assert.equal(reports().length, 2);
  });
});

import assert from 'node:assert/strict';
import type { Severity } from '../../../../../src/edge/severity';
import type { Alert } from '../../../../../src/notifications/delivery/alert';
import type { DeliveryCause, OutgoingDelivery } from '../../../../../src/notifications/delivery/channels/channel';
import { toMail } from '../../../../../src/notifications/delivery/channels/delivery-mail';
import { Words } from '../../../../../src/platform/words/words';
import { alert } from '../../../../support/alerts';
import { outgoing } from '../../../../support/channel-suite';

const LINKS = {
  acknowledgeUrl: 'https://s.example.org/acknowledge?token=k',
  unsubscribeUrl: 'https://s.example.org/u?token=a',
};
const mailOf = (
  about: Alert | undefined,
  text = 'hot',
  cause: DeliveryCause = { kind: 'trigger', sensorId: 42, triggerId: 5 },
  ownerTimezone: string | null = null,
) =>
  toMail(
    outgoing({ cause, text, destination: 'ward@example.org', ownerTimezone, ...(about && { alert: about }), ...LINKS }),
    'https://s.example.org',
  );
/** What people see of an HTML part, from its beginning. */
const shownOf = (html = '') =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, '\n')
    .trim();

describe('a mail about a firing', () => {
  it('has exactly the text of the notification as its plain part, and begins with it in HTML', () => {
    const given = '  Open the windows:\nit is hot.\n\n';
    const causes: DeliveryCause[] = [
      { kind: 'trigger', sensorId: 42, triggerId: 5 },
      { kind: 'trigger', sensorId: 42, triggerId: 5, isResolved: true },
      { kind: 'test' },
      { kind: 'notice', subject: 'A notice' },
    ];
    const about = [alert(), alert({ state: 'resolved', resolvedBy: 'data' }), alert({ isSample: true }), undefined];
    for (const [index, cause] of causes.entries()) {
      const { text, html } = mailOf(about[index], given, cause);
      assert.equal(text, given);
      assert.ok(shownOf(html).startsWith(given.trim()), html);
    }
    const event = { kind: 'event', event: 'add_sensor', subjectId: 2, sourceId: null, userId: 1 } as const;
    assert.equal(mailOf(undefined, given, event).text, given);
  });

  it('says what fired where, the value with its unit, when, and why', () => {
    const { subject, text, html = '', headers } = mailOf(alert(), '');
    assert.equal(subject, 'too warm on greenhouse');
    assert.equal(
      text,
      `too warm on greenhouse

Sensor:   greenhouse – Temperature (°C)
Trigger:  too warm
Severity: warning
Value:    31.2 °C
When:     21 November 2026, 02:52:24 UTC
Why:      above 30 °C

To acknowledge it, so that it is not repeated: https://s.example.org/acknowledge?token=k

Chart of greenhouse: https://s.example.org/console/sensors/42?at=1795229544.125

-- 
To stop these mails: https://s.example.org/u?token=a
`,
    );
    for (const shown of [
      'too warm on greenhouse',
      '31.2 °C',
      'above 30 °C',
      LINKS.acknowledgeUrl,
      LINKS.unsubscribeUrl,
      'href="https://s.example.org/console/sensors/42?at=1795229544.125">Chart of greenhouse</a>',
    ]) {
      assert.ok(html.includes(shown), shown);
      assert.ok(mailOf(alert()).html?.includes(shown), `${shown}, behind a text`);
    }
    assert.equal(headers?.['List-Unsubscribe'], `<${LINKS.unsubscribeUrl}>`);
  });

  it('shows the fields of a value, each with its unit', () => {
    const dataStructure = JSON.stringify({ celsius: { type: 'float', unit: '°C' } });
    const sensor = { ...alert().sensor, dataStructure };
    const { text } = mailOf(alert({ sensor, value: '{"celsius":31.2,"door":"open"}' }), '');
    assert.match(text, /Value: {4}celsius: 31\.2 °C\n {10}door: open\n/);
  });

  it('explains an inactivity, and the end of an episode', () => {
    const trigger = { ...alert().trigger, name: 'quiet', expression: null, inactivity: 5_400 };
    const about = alert({ reason: 'inactivity', value: null, trigger, atMs: alert().atMs + 6_000_000 });
    const inactive = mailOf(about, '');
    assert.equal(inactive.subject, 'No data from greenhouse since 21 November 2026, 02:51:24 UTC: quiet');
    assert.match(inactive.text, /Last value: 29\.5 °C\n {12}on 21 November 2026, 02:51:24 UTC\n/);
    assert.match(inactive.text, /Why: {8}no data for 1 hour 30 minutes/);
    assert.ok(!inactive.text.includes('\nValue:'));
    const isAhead = mailOf({ ...about, atMs: alert().atMs + 5_300_000 }, '');
    assert.match(isAhead.subject, / since 21 November 2026, 02:50:44 UTC: quiet$/, 'not after the inactivity began');
    const ends: [Partial<Alert>, string, RegExp][] = [
      [{ resolvedBy: 'data' }, 'too warm on greenhouse', /the condition does not hold any more/],
      [{ resolvedBy: 'data', reason: 'inactivity' }, 'No data from greenhouse: too warm', /data has come again/],
      [{ resolvedBy: 'user' }, 'too warm on greenhouse', /resolved by hand/],
    ];
    for (const [fields, heading, why] of ends) {
      const { subject, text, html = '' } = mailOf(alert({ state: 'resolved', value: '29', ...fields }), '');
      assert.equal(subject, `Resolved: ${heading}`);
      assert.match(text, why);
      assert.match(html, /○<\/span> resolved</);
    }
  });

  it('does not claim that a changed expression was the reason', () => {
    const trigger = { ...alert().trigger, expression: 'sensor_data_value > 100' };
    assert.ok(!mailOf(alert({ trigger }), '').text.includes('Why:'));
    assert.ok(!mailOf(alert({ variables: null }), '').text.includes('Why:'));
  });

  it('has the severity in its subject only where it is critical', () => {
    const subjectOf = (severity: Severity, fields: Partial<Alert> = {}, cause?: DeliveryCause) =>
      mailOf(alert({ trigger: { ...alert().trigger, severity }, ...fields }), '', cause).subject;
    assert.equal(subjectOf('info'), 'too warm on greenhouse');
    assert.equal(subjectOf('warning'), 'too warm on greenhouse');
    assert.equal(subjectOf('critical'), 'Critical: too warm on greenhouse');
    assert.equal(subjectOf('critical', { state: 'resolved' }), 'Resolved: Critical: too warm on greenhouse');
    assert.equal(subjectOf('critical', {}, { kind: 'test' }), 'Test: Critical: too warm on greenhouse');
  });

  it('begins with the sign and the word of the state, in the language of its reader', () => {
    const trigger = { kind: 'trigger', sensorId: 42, triggerId: 5 } as const;
    const stateOf = (fields: Partial<OutgoingDelivery>, language: 'en' | 'de' = 'en') => {
      const { html = '' } = toMail(
        outgoing({ cause: trigger, ...fields, words: Words.in(language) }),
        LINKS.acknowledgeUrl,
      );
      return /<span aria-hidden="true">(.)<\/span>( \S+?)<\/span><\/p>\s*<h1/.exec(html)?.slice(1).join('');
    };
    const of = (severity: Severity, fields: Partial<Alert> = {}) =>
      alert({ trigger: { ...alert().trigger, severity }, ...fields });
    assert.equal(stateOf({ alert: of('critical') }), '▲ critical');
    assert.equal(stateOf({ alert: of('warning') }, 'de'), '◆ Warnung');
    assert.equal(stateOf({ alert: of('info') }), '■ info');
    assert.equal(stateOf({ alert: of('critical', { state: 'resolved', resolvedBy: 'data' }) }, 'de'), '○ beendet');
    assert.equal(stateOf({ alert: of('critical'), cause: { ...trigger, isAcknowledged: true } }), '✓ acknowledged');
    assert.equal(stateOf({ alert: of('critical'), cause: { kind: 'test' } }), undefined);
    const items = [of('info'), of('critical')].map((about) => ({
      webhookId: '',
      text: '',
      alert: about,
      reading: null,
    }));
    const digest = { count: 2, items, afterMute: false };
    assert.equal(stateOf({ cause: { kind: 'digest', digest } }), '▲ critical', 'the most urgent one');
  });

  it('explains the time by the clocks of the trigger', () => {
    const trigger = { ...alert().trigger, expression: 'hour() == 8', timezone: 'Asia/Kolkata' };
    assert.match(mailOf(alert({ trigger }), '').text, /Why: {6}hour\(\) == 8\n {10}8 == 8\n/);
    assert.ok(!mailOf(alert({ trigger: { ...trigger, timezone: 'UTC' } }), '').text.includes('Why:'));
  });

  it('shows the time in the zone of its readers: of the owner, otherwise of the trigger, otherwise UTC', () => {
    const zones: [owner: string | null, trigger: string, shown: string][] = [
      [null, 'UTC', '21 November 2026, 02:52:24 UTC'],
      [null, 'Asia/Kolkata', '21 November 2026, 08:22:24 +05:30 (Asia/Kolkata)'],
      ['America/New_York', 'Asia/Kolkata', '20 November 2026, 21:52:24 -05:00 (America/New_York)'],
      ['Europe/London', 'UTC', '21 November 2026, 02:52:24 UTC (Europe/London)'],
      ['UTC', 'Asia/Kolkata', '21 November 2026, 02:52:24 UTC'],
      ['Mars/Olympus', 'UTC', '21 November 2026, 02:52:24 UTC'],
    ];
    for (const [owner, timezone, shown] of zones) {
      const { text, html = '' } = mailOf(
        alert({ trigger: { ...alert().trigger, timezone } }),
        '',
        { kind: 'test' },
        owner,
      );
      assert.ok(text.includes(`When:     ${shown}\n`), text);
      assert.ok(html.includes(`<div>${shown}</div>`), html);
    }
    const summer = Date.UTC(2026, 6, 1, 22, 30);
    const { text } = mailOf(alert({ dateMs: summer }), '', undefined, 'Europe/Amsterdam');
    assert.ok(text.includes('When:     2 July 2026, 00:30:00 +02:00 (Europe/Amsterdam)\n'), text);
  });

  it('is marked as a test where it is one', () => {
    const { subject, text, html = '' } = mailOf(alert(), '', { kind: 'test' });
    assert.equal(subject, 'Test: too warm on greenhouse');
    assert.match(text, /^Test: too warm on greenhouse\n\nThis is a test of a notification: nothing has happened\./);
    assert.doesNotMatch(html, /◆<\/span> warning</, 'nothing fires');
    const sample = alert({
      isSample: true,
      value: '21.5',
      sensor: { ...alert().sensor, id: null, name: 'sample sensor' },
    });
    assert.match(mailOf(sample, '', { kind: 'test' }).text, /Sample values stand[\s\S]*21\.5 \(sample\)\n/);
    assert.ok(!mailOf(sample, '', { kind: 'test' }).html?.includes('/console/'), 'a sample has no chart');
    assert.match(mailOf(undefined, '', { kind: 'test' }).text, /^Test of a notification\n\nThis is a test/);
  });

  it('takes everything that users write for text', () => {
    const evil = `</title><script>alert("1")</script><img src='x' onerror=1>\r\nBcc: all@example.org\u2028&amp;`;
    const sensor = { ...alert().sensor, name: evil, displayName: `${evil} (<b>)`, dataStructure: `{"unit":"<i>"}` };
    const trigger = { ...alert().trigger, name: evil, expression: 'sensor_data_value != "<u>"' };
    const { subject, html = '' } = mailOf(alert({ sensor, trigger, value: evil }), evil);
    assert.ok(!/[\r\n\u2028]/.test(subject), subject);
    for (const tag of ['<script', '<img', '<b>', '<i>', '<u>', "'x'"]) assert.ok(!html.includes(tag), tag);
    const long = mailOf(alert({ trigger: { ...alert().trigger, name: '🔥'.repeat(255) } })).subject;
    assert.equal([...long].length, 201);
  });

  it('has a plain subject where nothing is known but the ids, and otherwise names the things of an event', () => {
    assert.equal(mailOf(undefined).subject, 'Trigger 5 fired on sensor 42');
    const event = { kind: 'event', event: 'add_sensor_user', subjectId: 2, sourceId: 42, userId: 1 } as const;
    const { subject, text } = mailOf(undefined, '', event);
    assert.equal(subject, 'A sensor was shared with a user');
    assert.match(
      text,
      /^A sensor was shared with a user\n\nEvent: {3}add_sensor_user\nSubject: user 2\nSource: {2}sensor 42\n/,
    );
    const named = { ...event, names: { subject: 'grace', source: 'greenhouse' } };
    assert.equal(mailOf(undefined, '', named).subject, 'A sensor was shared with a user: grace, greenhouse');
    const acknowledged = { kind: 'trigger', sensorId: 42, triggerId: 5, isAcknowledged: true } as const;
    assert.equal(mailOf(undefined, '', acknowledged).subject, 'Trigger 5 was acknowledged on sensor 42');
    assert.equal(mailOf(alert(), '', acknowledged).subject, 'Acknowledged: too warm on greenhouse');
  });

  it('links from each line of a digest to its chart at its moment, and to where all of them are acknowledged', () => {
    const {
      subject,
      text,
      html = '',
    } = digestOf([
      [1, 0],
      [2, 1_000],
      [1, 2_000],
    ]);
    assert.equal(subject, '3 more alerts: too warm on greenhouse 1 and others');
    assert.match(text, /^3 more alerts: too warm[\s\S]* On 21 November 2026, times in Europe\/Amsterdam \(\+01:00\)\./);
    const lines = [1, 2, 1].map((id, index) => `03:52:2${4 + index}: too warm on greenhouse ${id}: 31.2 °C`);
    assert.ok(text.includes(`\n\n${lines.join('\n')}\n\n`), text);
    const urls = ['1?at=1795229544.125', '2?at=1795229545.125', '1?at=1795229546.125'].map(
      (path) => `https://s.example.org/console/sensors/${path}`,
    );
    const charts = [1, 2, 1].map((id, index) => `Chart of greenhouse ${id} at 03:52:2${4 + index}: ${urls[index]}`);
    const alerts = 'See and acknowledge them: https://s.example.org/console/alerts';
    assert.ok(text.includes(`\n\n${alerts}\n\n${charts.join('\n')}\n\n`), text);
    for (const [index, url] of urls.entries()) {
      const linked = html.split(`href="${url}">`);
      assert.equal(linked.length, 2, url);
      assert.ok(linked[1]?.startsWith(`too warm on greenhouse ${[1, 2, 1][index]}: 31.2 °C</a>`), linked[1]);
    }
    assert.equal(html.split('href="https://s.example.org/console/alerts"').length, 2);
  });

  it('has the day and the offset in each line of a digest whose lines differ in them', () => {
    const { text } = digestOf([
      [1, 0],
      [2, 86_400_000],
    ]);
    assert.ok(text.includes('in this one mail.\n\n'), text);
    assert.ok(text.includes('\n21 November 2026, 03:52:24 +01:00: too warm on greenhouse 1: 31.2 °C\n'), text);
    assert.ok(text.includes('\n22 November 2026, 03:52:24 +01:00: too warm on greenhouse 2: 31.2 °C\n'), text);
  });
});

/** A mail with the digest of alerts, given by the ids of their sensors and by their ms after the first one. */
function digestOf(alerts: readonly [id: number, afterMs: number][]) {
  const items = alerts.map(([id, afterMs]) => {
    const { sensor, dateMs } = alert();
    const about = alert({ sensor: { ...sensor, id, name: `greenhouse ${id}` }, dateMs: dateMs + afterMs });
    return { webhookId: `msg_${id}`, text: 'hot', alert: about, reading: '31.2 °C' };
  });
  const digest = { count: items.length, items, afterMute: false };
  return mailOf(undefined, '3 more alerts', { kind: 'digest', digest }, 'Europe/Amsterdam');
}

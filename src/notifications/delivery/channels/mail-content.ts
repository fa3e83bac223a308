import { readingsOf } from '../../../language/measured-value';
import { momentText, type ReaderTime, readerTime, readerZone, zoneText } from '../../../language/reader-time';
import { markedSample } from '../../../language/sample-value';
import { type Alert, headingOf, lastValueOf, sensorText, unacknowledgedText } from '../alert';
import { chartUrl } from '../console-links';
import { type Digest, lineOf } from '../digest';
import { withValues } from '../expression-values';
import { holdText, reasonOf } from './alert-reason';
import type { DeliveryCause, OutgoingDelivery } from './channel';
import { headingOfDigest, isProbe, oneLine, subjectOf, titleOf } from './delivery-title';
import { type EventCause, thingsOf } from './event-things';

/** A line of a mail below the text. */
export interface Fact {
  name: string;
  lines: readonly string[];
  isCode?: boolean;
  note?: string;
  link?: PageLink;
}

export interface PageLink {
  label: string;
  url: string;
}

export interface MailContent {
  subject: string;
  /** Selects the colors. */
  tone: 'firing' | 'resolved' | 'neutral';
  heading: string;
  /** Explains a test or an escalation. */
  remark: string;
  /** `""` without a text. */
  text: string;
  facts: readonly Fact[];
  links: readonly PageLink[];
}

const TEST = 'This is a test of a notification: nothing has happened.';
const PROBE = 'The platform sends it regularly, as the owner of the notification asked.';

interface Reader {
  publicUrl: string;
  ownerTimezone: string | null;
}

/** Times are in the zone of the readers: see `readerZone`. */
export function contentOf(delivery: OutgoingDelivery, publicUrl: string): MailContent {
  return { subject: mailSubjectOf(delivery), ...contentBelow(delivery, publicUrl) };
}

/** Adds the names of an event: a mailbox shows many mails of one event. */
function mailSubjectOf(delivery: OutgoingDelivery): string {
  const { subject, source } = (delivery.cause.kind === 'event' && delivery.cause.names) || {};
  const names = [...new Set([subject, source])].filter((name) => name !== undefined);
  const title = titleOf(delivery);
  return names.length === 0 ? title : oneLine(`${title}: ${names.join(', ')}`);
}

function contentBelow(delivery: OutgoingDelivery, publicUrl: string): Omit<MailContent, 'subject'> {
  const { cause, text, alert, ownerTimezone } = delivery;
  const reader = { publicUrl, ownerTimezone };
  if (alert && !isProbe(cause)) return ofAlert(alert, text, { isTest: cause.kind === 'test', reader });
  if (cause.kind === 'digest') return ofDigest(cause.digest, reader);
  const heading = subjectOf(cause);
  return {
    tone: 'neutral',
    heading,
    remark: cause.kind === 'test' ? remarkOf(cause) : '',
    text,
    facts: cause.kind === 'event' ? eventFacts(cause) : [],
    links: [],
  };
}

function remarkOf({ isProbe }: Extract<DeliveryCause, { kind: 'test' }>): string {
  return isProbe ? PROBE : TEST;
}

function ofDigest(digest: Digest, reader: Reader): Omit<MailContent, 'subject'> {
  const { count, items, afterMute } = digest;
  const timed = items.map((item) => ({ item, time: timeOf(item.alert, reader) }));
  const day = commonDay(timed.map(({ time }) => time));
  const facts = timed.map(({ item, time }) => {
    const name = nameOf(time, day !== undefined);
    return { name, lines: [lineOf(item)], ...linkOf(item.alert, reader, ` at ${name}`) };
  });
  const more = count > items.length ? [{ name: '…', lines: [`and ${count - items.length} more`] }] : [];
  const why = afterMute
    ? 'These alerts began during a mute, and still fired when it was over.'
    : 'So many alerts came within a minute that those after the first ones are in this one mail.';
  const remark = day === undefined ? why : `${why} ${day}`;
  const links = [{ label: 'See and acknowledge them', url: `${reader.publicUrl}/console/alerts` }];
  const heading = headingOfDigest(digest);
  return {
    tone: 'firing',
    heading,
    remark,
    text: '',
    facts: [...facts, ...more],
    links,
  };
}

/** Undefined if the days or zones differ. */
function commonDay(times: readonly ReaderTime[]): string | undefined {
  const [day, ...others] = new Set(times.map((time) => `On ${time.day}, times in ${zoneText(time)}.`));
  return others.length === 0 ? day : undefined;
}

function nameOf({ day, time, offset }: ReaderTime, isSameDay: boolean): string {
  return isSameDay ? time : `${day}, ${time} ${offset}`;
}

function timeOf({ dateMs, trigger }: Pick<Alert, 'dateMs' | 'trigger'>, { ownerTimezone }: Reader): ReaderTime {
  return readerTime(dateMs, readerZone(ownerTimezone, trigger.timezone));
}

/** Samples have no chart. */
function linkOf({ sensor, dateMs }: Alert, { publicUrl }: Reader, when = ''): { link?: PageLink } {
  if (sensor.id === null) return {};
  return {
    link: { label: `Chart of ${oneLine(sensorText(sensor))}${when}`, url: chartUrl(publicUrl, sensor.id, dateMs) },
  };
}

function eventFacts(cause: EventCause): Fact[] {
  const { subject, source } = thingsOf(cause);
  return [
    { name: 'Event', lines: [cause.event] },
    ...(subject === undefined ? [] : [{ name: 'Subject', lines: [subject] }]),
    ...(source === undefined ? [] : [{ name: 'Source', lines: [source] }]),
  ];
}

function ofAlert(
  alert: Alert,
  text: string,
  { isTest, reader }: { isTest: boolean; reader: Reader },
): Omit<MailContent, 'subject'> {
  const { state } = alert;
  const { link } = linkOf(alert, reader);
  return {
    tone: isTest ? 'neutral' : state,
    heading: headingOf(alert),
    remark: isTest ? remarkOfTest(alert) : remarkOfEscalation(alert),
    text,
    facts: factsOf(alert, reader, isTest),
    links: link ? [link] : [],
  };
}

function remarkOfTest({ isSample }: Alert): string {
  const source = isSample
    ? 'Sample values stand where a firing has real ones.'
    : 'It shows the latest value of the sensor.';
  return `${TEST} ${source}`;
}

function remarkOfEscalation(alert: Alert): string {
  const unacknowledged = unacknowledgedText(alert);
  return unacknowledged && `This is an escalation: the alert was ${unacknowledged}.`;
}

function factsOf(alert: Alert, reader: Reader, isTest: boolean): Fact[] {
  const { sensor, trigger } = alert;
  const alias = sensor.displayName === '' || sensor.displayName === sensor.name ? '' : ` – ${sensor.displayName}`;
  return [
    { name: 'Sensor', lines: [`${sensorText(sensor)}${alias}`] },
    { name: 'Trigger', lines: [trigger.name] },
    ...valueFact(alert, reader),
    { name: 'When', lines: [momentText(timeOf(alert, reader))] },
    ...whyFact(alert, isTest),
  ];
}

function valueFact(alert: Alert, reader: Reader): Fact[] {
  const { value, sensor, isSample, state, reason, trigger } = alert;
  if (value !== null) return [{ name: 'Value', lines: isSample ? [markedSample(value)] : linesOf(value, sensor) }];
  if (state !== 'firing' || reason !== 'inactivity') return [];
  const last = lastValueOf(alert);
  if (!last) return [{ name: 'Last value', lines: ['none is known'] }];
  const date = timeOf({ dateMs: last.dateMs, trigger }, reader);
  return [{ name: 'Last value', lines: linesOf(last.value, sensor), note: `on ${momentText(date)}` }];
}

function linesOf(value: string, sensor: Alert['sensor']): string[] {
  return readingsOf(value, sensor).map(({ field, text }) => (field === '' ? text : `${field}: ${text}`));
}

function whyFact(alert: Alert, isTest: boolean): Fact[] {
  const { state, reason, trigger, sensor, variables, windows } = alert;
  const name = 'Why';
  const isInactive = reason === 'inactivity' && trigger.inactivity !== null;
  if (state === 'resolved' || isInactive) return [{ name, lines: [reasonOf(alert)] }];
  if (trigger.expression === null) return [];
  const reading = { dataType: sensor.dataType, timezone: trigger.timezone, windows };
  const explained = variables && withValues(trigger.expression, variables, reading);
  const note = holdText(alert);
  if (explained) return [{ name, lines: [...new Set([trigger.expression, explained])], isCode: true, note }];
  return isTest ? [{ name: 'Condition', lines: [trigger.expression], isCode: true }] : [];
}

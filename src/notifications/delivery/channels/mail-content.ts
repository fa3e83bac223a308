import { readingsOf } from '../../../language/measured-value';
import { momentText, type ReaderTime, readerTime, readerZone, zoneText } from '../../../language/reader-time';
import { markedSample } from '../../../language/sample-value';
import { STATES, type StateName } from '../../../platform/states';
import type { Words } from '../../../platform/words/words';
import { type Alert, headingOf, lastValueOf, sensorText, unacknowledgedText } from '../alert';
import { chartUrl } from '../console-links';
import { type Digest, lineOf } from '../digest';
import { withValues } from '../expression-values';
import { comparisonText, holdText, reasonOf } from './alert-reason';
import type { DeliveryCause, OutgoingDelivery } from './channel';
import { headingOfDigest, isProbe, oneLine, subjectOf, titleOf } from './delivery-title';
import { type EventCause, thingsOf } from './event-things';

/** A line of a mail below the text. */
export interface Fact {
  name: string;
  lines: readonly string[];
  isCode?: boolean;
  /** The title of the mail says it as well. */
  isInTitle?: boolean;
  note?: string;
  state?: StateName | undefined;
  link?: PageLink;
}

export interface PageLink {
  label: string;
  url: string;
}

export interface MailContent {
  subject: string;
  /** Absent if it is about no alert, or is a test. */
  state?: StateName | undefined;
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
  words: Words;
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
  const { cause, text, alert, ownerTimezone, words } = delivery;
  const reader = { publicUrl, ownerTimezone, words };
  if (alert && !isProbe(cause)) return ofAlert(alert, text, cause, reader);
  if (cause.kind === 'digest') return ofDigest(cause.digest, reader);
  if (cause.kind === 'notice' && cause.mail) return { ...cause.mail, text: '' };
  const heading = subjectOf(cause, words);
  return {
    heading,
    remark: cause.kind === 'test' ? words.t(cause.isProbe ? PROBE : TEST) : '',
    text,
    facts: cause.kind === 'event' ? eventFacts(cause, words) : [],
    links: [],
  };
}

function ofDigest(digest: Digest, reader: Reader): Omit<MailContent, 'subject'> {
  const { count, items } = digest;
  const { words } = reader;
  const timed = items.map((item) => ({ item, time: timeOf(item.alert, reader) }));
  const day = commonDay(
    timed.map(({ time }) => time),
    words,
  );
  const facts = timed.map(({ item, time }) => {
    const name = nameOf(time, day !== undefined);
    return { name, lines: [lineOf(item, words)], state: stateOf(item.alert), ...linkOf(item.alert, reader, name) };
  });
  const more =
    count > items.length ? [{ name: '…', lines: [words.t('and {n} more', { n: count - items.length })] }] : [];
  const why = whyInDigest(digest, words);
  const remark = day === undefined ? why : `${why} ${day}`;
  const links = [{ label: words.t('See and acknowledge them'), url: `${reader.publicUrl}/console/alerts` }];
  const heading = headingOfDigest(digest, words);
  return {
    state: STATES.find((state) => items.some((item) => stateOf(item.alert) === state)),
    heading,
    remark,
    text: '',
    facts: [...facts, ...more],
    links,
  };
}

function whyInDigest({ afterMute, wasHeld }: Digest, words: Words): string {
  if (!afterMute)
    return words.t('So many alerts came within a minute that those after the first ones are in this one mail.');
  return wasHeld
    ? words.t('An alert that these depend on held them back. They still fired when it was over.')
    : words.t('These alerts began during a mute, and still fired when it was over.');
}

/** Undefined if the days or zones differ. */
function commonDay(times: readonly ReaderTime[], words: Words): string | undefined {
  const textOf = (time: ReaderTime) => words.t('On {day}, times in {zone}.', { day: time.day, zone: zoneText(time) });
  const [day, ...others] = new Set(times.map(textOf));
  return others.length === 0 ? day : undefined;
}

function nameOf({ day, time, offset }: ReaderTime, isSameDay: boolean): string {
  return isSameDay ? time : `${day}, ${time} ${offset}`;
}

function timeOf({ dateMs, trigger }: Pick<Alert, 'dateMs' | 'trigger'>, { ownerTimezone, words }: Reader): ReaderTime {
  return readerTime(dateMs, readerZone(ownerTimezone, trigger.timezone), words.language);
}

/** Samples have no chart. */
function linkOf({ sensor, dateMs }: Alert, { publicUrl, words }: Reader, when = ''): { link?: PageLink } {
  if (sensor.id === null) return {};
  const named = { sensor: oneLine(sensorText(sensor)) };
  const label = when ? words.t('Chart of {sensor} at {when}', { ...named, when }) : words.t('Chart of {sensor}', named);
  return { link: { label, url: chartUrl(publicUrl, sensor.id, dateMs) } };
}

function eventFacts(cause: EventCause, words: Words): Fact[] {
  const { subject, source } = thingsOf(cause, words);
  return [
    { name: words.t('Event'), lines: [cause.event] },
    ...(subject === undefined ? [] : [{ name: words.t('Subject'), lines: [subject] }]),
    ...(source === undefined ? [] : [{ name: words.t('Source'), lines: [source] }]),
  ];
}

function ofAlert(alert: Alert, text: string, cause: DeliveryCause, reader: Reader): Omit<MailContent, 'subject'> {
  const isTest = cause.kind === 'test';
  const { words } = reader;
  const { link } = linkOf(alert, reader);
  return {
    state: stateOf(alert, cause),
    heading: headingOf(alert, words),
    remark: isTest ? remarkOfTest(alert, words) : remarkOfEscalation(alert, words),
    text,
    facts: factsOf(alert, reader, isTest),
    links: link ? [link] : [],
  };
}

/** Undefined in a test. */
function stateOf({ state, trigger }: Alert, cause?: DeliveryCause): StateName | undefined {
  if (cause?.kind === 'test') return undefined;
  if (cause?.kind === 'trigger' && cause.isAcknowledged) return 'acknowledged';
  return state === 'resolved' ? state : trigger.severity;
}

function remarkOfTest({ isSample }: Alert, words: Words): string {
  const source = isSample
    ? 'Sample values stand where a firing has real ones.'
    : 'It shows the latest value of the sensor.';
  return `${words.t(TEST)} ${words.t(source)}`;
}

function remarkOfEscalation(alert: Alert, words: Words): string {
  const unacknowledged = unacknowledgedText(alert, words);
  return unacknowledged && words.t('This is an escalation: the alert was {unacknowledged}.', { unacknowledged });
}

function peopleFacts({ acknowledgedBy, assignedTo }: Alert, words: Words): Fact[] {
  return [
    ...(acknowledgedBy ? [{ name: words.t('Acknowledged by'), lines: [acknowledgedBy] }] : []),
    ...(assignedTo ? [{ name: words.t('Assigned to'), lines: [assignedTo] }] : []),
  ];
}

function factsOf(alert: Alert, reader: Reader, isTest: boolean): Fact[] {
  const { sensor, trigger } = alert;
  const { words } = reader;
  const alias = sensor.displayName === '' || sensor.displayName === sensor.name ? '' : ` – ${sensor.displayName}`;
  return [
    { name: words.t('Sensor'), lines: [`${sensorText(sensor)}${alias}`], isInTitle: true },
    { name: words.t('Trigger'), lines: [trigger.name], isInTitle: true },
    { name: words.t('Severity'), lines: [words.t(trigger.severity)], state: trigger.severity, isInTitle: true },
    ...valueFact(alert, reader),
    { name: words.t('When'), lines: [momentText(timeOf(alert, reader))] },
    ...peopleFacts(alert, words),
    ...whyFact(alert, isTest, words),
  ];
}

function valueFact(alert: Alert, reader: Reader): Fact[] {
  const { value, sensor, isSample, state, reason, trigger } = alert;
  const { words } = reader;
  if (value !== null) {
    const lines = isSample ? [words.said(markedSample(value))] : linesOf(value, sensor, words);
    return [{ name: words.t('Value'), lines }];
  }
  if (state !== 'firing' || reason !== 'inactivity') return [];
  const last = lastValueOf(alert);
  const name = words.t('Last value');
  if (!last) return [{ name, lines: [words.t('none is known')] }];
  const date = momentText(timeOf({ dateMs: last.dateMs, trigger }, reader));
  return [{ name, lines: linesOf(last.value, sensor, words), note: words.t('on {date}', { date }) }];
}

function linesOf(value: string, sensor: Alert['sensor'], words: Words): string[] {
  return readingsOf(value, sensor, words).map(({ field, text }) => (field === '' ? text : `${field}: ${text}`));
}

function whyFact(alert: Alert, isTest: boolean, words: Words): Fact[] {
  const { state, reason, trigger, sensor, variables, windows } = alert;
  const name = words.t('Why');
  const isInactive = reason === 'inactivity' && trigger.inactivity !== null;
  if (state === 'resolved' || isInactive) return [{ name, lines: [reasonOf(alert, words)] }];
  if (trigger.expression === null) return [];
  const reading = { dataType: sensor.dataType, timezone: trigger.timezone, windows };
  const explained = variables && withValues(trigger.expression, variables, reading);
  const note = holdText(alert, words);
  const comparison = comparisonText(trigger.expression, alert, words);
  if (explained && comparison) return [{ name, lines: [comparison], note }];
  if (explained) return [{ name, lines: [...new Set([trigger.expression, explained])], isCode: true, note }];
  if (!isTest) return [];
  return [{ name: words.t('Condition'), lines: [comparison ?? trigger.expression], isCode: comparison === undefined }];
}

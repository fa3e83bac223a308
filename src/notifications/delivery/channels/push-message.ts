import type { Severity } from '../../../edge/severity';
import type { Alert } from '../alert';
import type { OutgoingDelivery } from './channel';
import { contentOf, type Fact } from './mail-content';

/** Push services take at least 4,096 bytes of ciphertext (RFC 8030, 7.2); some take little more. */
const MAX_BYTES = 3 * 1024;
const CUT_MARK = '…';

/** The payload that the service worker of the console shows. Times and ids are in the links. */
export interface PushMessage {
  title: string;
  text: string;
  /** A later message with the same tag replaces this one. */
  tag: string;
  /** The page that a click opens. */
  url: string;
  /** A POST to it acknowledges the firing, without a session; absent if nothing can be acknowledged. */
  acknowledge_url?: string;
  state: 'firing' | 'resolved' | 'none';
  severity: Severity;
}

/** How a push service handles the message (RFC 8030, 5.3 and 5.4). */
export interface PushHandling {
  urgency: 'low' | 'normal' | 'high';
  /** Messages of one topic that have not arrived yet replace each other; absent if none does. */
  topic?: string;
}

/** The message of a delivery, as JSON of at most 3 KB: a text that is too long is cut between characters. */
export function pushMessageOf(delivery: OutgoingDelivery, publicUrl: string): string {
  const { subject, text, facts, links } = contentOf(delivery, publicUrl);
  const { alert, cause, acknowledgeUrl } = delivery;
  const message: PushMessage = {
    title: subject,
    text: '',
    tag: topicOf(alert) ?? delivery.webhookId,
    url: links[0]?.url ?? `${publicUrl}/console/alerts`,
    ...(acknowledgeUrl !== undefined && { acknowledge_url: acknowledgeUrl }),
    state: cause.kind === 'test' ? 'none' : (alert?.state ?? 'none'),
    severity: severityOf(delivery),
  };
  const known = facts.filter(({ name }) => !IN_TITLE.has(name));
  const whole = text.trim() || known.map(lineOf).join('\n');
  const room = MAX_BYTES - Buffer.byteLength(JSON.stringify(message));
  return JSON.stringify({ ...message, text: cutTo(whole, room) });
}

function lineOf({ name, lines, note = '' }: Fact): string {
  return `${name}: ${[...lines, note].filter((line) => line !== '').join(', ')}`;
}

/** How the message of a delivery is to be handled: critical alerts wake a sleeping device. */
export function handlingOf(delivery: OutgoingDelivery): PushHandling {
  const topic = topicOf(delivery.alert);
  return { urgency: URGENCIES[severityOf(delivery)], ...(topic !== undefined && { topic }) };
}

/** The facts of an alert that its title names. */
const IN_TITLE: ReadonlySet<string> = new Set(['Sensor', 'Trigger']);

const URGENCIES = { info: 'low', warning: 'normal', critical: 'high' } as const satisfies Record<Severity, string>;
const BY_SEVERITY: readonly Severity[] = ['critical', 'warning', 'info'];

/** The severity of the alert, or of the most severe one of a digest. */
function severityOf({ alert, cause }: OutgoingDelivery): Severity {
  if (alert) return alert.trigger.severity;
  if (cause.kind !== 'digest') return 'warning';
  const severities = cause.digest.items.map((item) => item.alert.trigger.severity);
  return BY_SEVERITY.find((one) => severities.includes(one)) ?? 'warning';
}

/** The same for all messages of an episode: its end replaces its firing. */
function topicOf(alert: Alert | undefined): string | undefined {
  return alert?.episodeId == null ? undefined : `episode-${alert.episodeId}`;
}

/** The beginning of a text that takes at most this many bytes of JSON; a character as people see it is never halved. */
function cutTo(text: string, room: number): string {
  if (bytesOf(text) <= room) return text;
  let [kept, left] = ['', room - bytesOf(CUT_MARK)];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    left -= bytesOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${CUT_MARK}`;
}

/** The bytes that a text takes within JSON. */
function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - '""'.length;
}

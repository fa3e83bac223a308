import type { Severity } from '../../../edge/severity';
import type { Alert } from '../alert';
import type { OutgoingDelivery } from './channel';
import { contentOf, type Fact } from './mail-content';

/** Push services take at least 4,096 bytes of ciphertext (RFC 8030, 7.2); some take little more. */
const MAX_BYTES = 3 * 1024;
const CUT_MARK = '…';

/** The service worker of the console reads it. */
export interface PushMessage {
  title: string;
  text: string;
  /** A later message with an equal tag replaces this one. */
  tag: string;
  url: string;
  /** A POST acknowledges the firing, without a session. */
  acknowledge_url?: string;
  state: 'firing' | 'resolved' | 'none';
  severity: Severity;
}

/** RFC 8030, 5.3 and 5.4. */
export interface PushHandling {
  urgency: 'low' | 'normal' | 'high';
  /** Messages of one topic that have not arrived yet replace each other. */
  topic?: string;
}

/** JSON of at most 3 KB. A long text is cut between characters. */
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
  const known = facts.filter(({ isInTitle }) => !isInTitle);
  const whole = text.trim() || known.map(lineOf).join('\n');
  const room = MAX_BYTES - Buffer.byteLength(JSON.stringify(message));
  return JSON.stringify({ ...message, text: cutTo(whole, room) });
}

function lineOf({ name, lines, note = '' }: Fact): string {
  return `${name}: ${[...lines, note].filter((line) => line !== '').join(', ')}`;
}

/** Critical alerts wake a sleeping device. */
export function handlingOf(delivery: OutgoingDelivery): PushHandling {
  const topic = topicOf(delivery.alert);
  return { urgency: URGENCIES[severityOf(delivery)], ...(topic !== undefined && { topic }) };
}

const URGENCIES = { info: 'low', warning: 'normal', critical: 'high' } as const satisfies Record<Severity, string>;
const BY_SEVERITY: readonly Severity[] = ['critical', 'warning', 'info'];

/** For a digest, the highest one. */
function severityOf({ alert, cause }: OutgoingDelivery): Severity {
  if (alert) return alert.trigger.severity;
  if (cause.kind !== 'digest') return 'warning';
  const severities = cause.digest.items.map((item) => item.alert.trigger.severity);
  return BY_SEVERITY.find((one) => severities.includes(one)) ?? 'warning';
}

/** The end of an episode replaces its firing. */
function topicOf(alert: Alert | undefined): string | undefined {
  return alert?.episodeId == null ? undefined : `episode-${alert.episodeId}`;
}

/** Limits the bytes as JSON. Never halves a character as people see it. */
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

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - '""'.length;
}

import { type Alert, sensorText, unacknowledgedText } from './alert';

export interface DigestItem {
  webhookId: string;
  text: string;
  alert: Alert;
  /** Value with unit, shortened; null if no point decided. */
  reading: string | null;
}

export interface Digest {
  count: number;
  items: readonly DigestItem[];
  /** False if too many came in a minute. */
  afterMute: boolean;
}

/** The owner's setting, otherwise true for mails only. */
export function isDigested({ digest, type }: { digest: boolean | number | null; type: string }): boolean {
  return digest === null ? type === 'email' : Boolean(digest);
}

const MAX_LINES = 20;

/** Forms and the record of the delivery use this text. */
export function digestText(digest: Digest): string {
  const { count, items, afterMute } = digest;
  const listed = items.slice(0, MAX_LINES).map((item) => `- ${lineOf(item)}`);
  const more = count > listed.length ? [`and ${count - listed.length} more`] : [];
  return [`${countText(digest)} ${afterMute ? 'after a mute' : 'within a minute'}:`, ...listed, ...more].join('\n');
}

/** `12 more alerts`, or `12 alerts` after a mute. */
export function countText({ count, afterMute }: Digest): string {
  return `${count} ${afterMute ? '' : 'more '}${count === 1 ? 'alert' : 'alerts'}`;
}

/** `too warm on greenhouse: 31.2 °C`. */
export function lineOf({ alert, reading }: DigestItem): string {
  const { sensor, trigger, state } = alert;
  const what = `${trigger.name} on ${sensorText(sensor)}`;
  if (state === 'resolved') return `${what}: resolved`;
  return [`${what}: ${reading ?? 'no data'}`, unacknowledgedText(alert)].filter(Boolean).join(', ');
}

export function digestReason(limit: number): string {
  return `more than ${limit} alerts came within a minute: the others go out as one message at its end`;
}

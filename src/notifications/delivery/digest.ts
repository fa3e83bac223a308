import { type Alert, unacknowledgedText } from './alert';

/** One delivery of a digest. */
export interface DigestItem {
  /** The id of this delivery alone. */
  webhookId: string;
  /** The text, shortened like the value in the alert. */
  text: string;
  alert: Alert;
  /** The value with its unit in one line, shortened; null if no point decided. */
  reading: string | null;
}

/** The deliveries of a digest: their number, the first of them, and why they are in one. */
export interface Digest {
  count: number;
  items: readonly DigestItem[];
  /** True if they still fire at the end of a mute; false if they were too many in a minute. */
  afterMute: boolean;
}

/**
 * True if many deliveries of a notification in a minute are aggregated: the owner's setting, otherwise true for mails
 * only.
 */
export function isDigested({ digest, type }: { digest: boolean | number | null; type: string }): boolean {
  return digest === null ? type === 'email' : Boolean(digest);
}

const MAX_LINES = 20;

/**
 * A digest in words, for forms and for the record of its delivery: the count, and a line for each of the first
 * deliveries.
 */
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
  const what = `${trigger.name} on ${sensor.name}`;
  if (state === 'resolved') return `${what}: resolved`;
  return [`${what}: ${reading ?? 'no data'}`, unacknowledgedText(alert)].filter(Boolean).join(', ');
}

/** Why deliveries beyond the limit of a minute wait for their digest. */
export function digestReason(limit: number): string {
  return `more than ${limit} alerts came within a minute: the others go out as one message at its end`;
}

import type { Alert } from './alert';
import { readingIn } from './measured-value';

/** One delivery of a digest. */
export interface DigestItem {
  /** The id of this delivery alone. */
  webhookId: string;
  /** The text, shortened like the value in the alert. */
  text: string;
  alert: Alert;
}

/** The deliveries of a digest: their number, and the first of them. */
export interface Digest {
  count: number;
  items: readonly DigestItem[];
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
export function digestText({ count, items }: Digest): string {
  const listed = items.slice(0, MAX_LINES).map((item) => `- ${lineOf(item)}`);
  const more = count > listed.length ? [`and ${count - listed.length} more`] : [];
  return [`${countText(count)} within a minute:`, ...listed, ...more].join('\n');
}

/** `12 more alerts`. */
export function countText(count: number): string {
  return `${count} more ${count === 1 ? 'alert' : 'alerts'}`;
}

/** `too warm on greenhouse: 31.2 °C`. */
export function lineOf({ alert }: DigestItem): string {
  const { sensor, trigger, value, state } = alert;
  const what = `${trigger.name} on ${sensor.name}`;
  if (state === 'resolved') return `${what}: resolved`;
  return value === null ? `${what}: no data` : `${what}: ${readingIn(value, sensor)}`;
}

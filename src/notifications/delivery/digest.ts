import type { Words } from '../../platform/words/words';
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
  /** Alerts of other triggers held them back, and not only mutes. */
  wasHeld?: boolean;
}

/** The owner's setting, otherwise true for mails only. */
export function isDigested({ digest, type }: { digest: boolean | number | null; type: string }): boolean {
  return digest === null ? type === 'email' : Boolean(digest);
}

const MAX_LINES = 20;

/** Forms and the record of the delivery use this text. */
export function digestText(digest: Digest, words: Words): string {
  const { count, items } = digest;
  const listed = items.slice(0, MAX_LINES).map((item) => `- ${lineOf(item, words)}`);
  const more = count > listed.length ? [words.t('and {n} more', { n: count - listed.length })] : [];
  const heading = headingText(digest, { alerts: countText(digest, words) }, words);
  return [heading, ...listed, ...more].join('\n');
}

function headingText({ afterMute, wasHeld }: Digest, counted: { alerts: string }, words: Words): string {
  if (!afterMute) return words.t('{alerts} within a minute:', counted);
  return wasHeld ? words.t('{alerts} that still fire:', counted) : words.t('{alerts} after a mute:', counted);
}

/** `12 more alerts`, or `12 alerts` after a mute. */
export function countText({ count: n, afterMute }: Digest, words: Words): string {
  if (afterMute) return n === 1 ? words.t('{n} alert', { n }) : words.t('{n} alerts', { n });
  return n === 1 ? words.t('{n} more alert', { n }) : words.t('{n} more alerts', { n });
}

/** `too warm on greenhouse: 31.2 °C`. */
export function lineOf({ alert, reading }: DigestItem, words: Words): string {
  const { sensor, trigger, state } = alert;
  const named = { trigger: trigger.name, sensor: sensorText(sensor) };
  if (state === 'resolved') return resolvedText(named, words);
  const what = words.t('{trigger} on {sensor}', named);
  return [`${what}: ${reading ?? words.t('no data')}`, unacknowledgedText(alert, words)].filter(Boolean).join(', ');
}

/** `too warm on greenhouse: resolved`. */
export function resolvedText(named: { trigger: string; sensor: string }, words: Words): string {
  return `${words.t('{trigger} on {sensor}', named)}: ${words.t('resolved')}`;
}

export function digestReason(limit: number): string {
  return `more than ${limit} alerts came within a minute: the others go out as one message at its end`;
}

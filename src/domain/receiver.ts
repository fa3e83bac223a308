import type { AttemptOutcome } from './delivery-schedule';
import { parseUrl } from './parse-url';

/** All mails go through one mail server, whatever their address. */
const MAIL_SERVER = 'smtp';
const MAX_LENGTH = 255;
const SLOW_MS = 3_000;

/** The receiver behind a destination, as `host:port`: attempts to one receiver wait for each other. */
export function receiverOf(type: string, destination: string): string {
  if (type === 'email') return MAIL_SERVER;
  const url = parseUrl(destination);
  if (!url) return 'none';
  const { hostname, port, protocol } = url;
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`.slice(0, MAX_LENGTH);
}

/** After so many attempts in a row that were slow or failed, a receiver is degraded: few attempts at once will do for it. */
export const DEGRADED_AFTER = 3;

/** Whether an attempt shows the receiver slow, overloaded or away. That it does not want this delivery shows nothing of the kind. */
export function isReceiverFailure(type: string, outcome: AttemptOutcome, durationMs: number): boolean {
  if (durationMs >= SLOW_MS) return true;
  if (outcome.kind !== 'retry-later') return false;
  if (type === 'email') return outcome.ours === true;
  return outcome.statusCode === undefined || outcome.statusCode >= 500 || outcome.statusCode === 429;
}

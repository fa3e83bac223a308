/** The beginning of both bodies. Never log them. */
export interface Exchange {
  sent: string;
  received: string;
}

/** `isGone` if nothing will ever arrive there again: the notification is then disabled. */
export type AttemptOutcome = (
  | { kind: 'delivered'; statusCode?: number }
  | { kind: 'refused'; reason: string; statusCode?: number; isGone?: true }
  | RetryLater
) &
  Noted;

interface Noted {
  note?: string;
  exchange?: Exchange;
}

/** `ours` if the cause is on our side: then it does not count against the receiver. */
export interface RetryLater {
  kind: 'retry-later';
  reason: string;
  statusCode?: number;
  retryAfterMs?: number;
  /** Number of attempts that end like this; the whole schedule if absent. */
  maxAttempts?: number;
  ours?: true;
}

export type DeliveryState = { status: 'delivered' | 'failed' } | { status: 'pending'; nextAttemptMs: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  16 * HOUR,
];

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * `attemptsSoFar` counts this attempt; `random` gives 0 to 1. Jitter only adds to a delay. `Retry-After` only
 * postpones, by a day at most.
 */
export function nextAttempt(
  outcome: AttemptOutcome,
  attemptsSoFar: number,
  nowMs: number,
  random: () => number,
): DeliveryState {
  if (outcome.kind === 'delivered') return { status: 'delivered' };
  if (outcome.kind === 'refused') return { status: 'failed' };
  if (outcome.maxAttempts !== undefined && attemptsSoFar >= outcome.maxAttempts) return { status: 'failed' };
  const delayMs = RETRY_DELAYS_MS[Math.max(0, attemptsSoFar - 1)];
  if (delayMs === undefined) return { status: 'failed' };

  const scheduledMs = Math.round(delayMs * (1 + JITTER * random()));
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { status: 'pending', nextAttemptMs: nowMs + Math.max(scheduledMs, Math.ceil(askedMs)) };
}

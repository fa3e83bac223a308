import type { AttemptOutcome } from '../delivery/delivery-schedule';

/** Reason why a notification is disabled. */
export type SwitchedOff = 'owner' | 'failing' | 'unsubscribed' | 'gone';

/** A notification is disabled if its destination accepts nothing for this long. */
export const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/** The owner is notified once its destination has accepted nothing for this long. */
export const WARN_AFTER_MS = GIVE_UP_AFTER_MS / 2;

/** The failures of a notification so far. */
export interface Failures {
  /** When the first attempt failed after the last successful one; null while attempts succeed. */
  failingSinceMs: number | null;
  /** When its owner was last notified of failures. */
  warnedMs: number | null;
}

/** The change of a notification after an attempt. */
export type HealthChange = 'none' | 'recovered' | 'began-to-fail' | 'half-way' | 'give-up' | 'gone';

/**
 * Judges a notification by an attempt to its destination. It is disabled when a delivery fails permanently and nothing
 * has arrived since the first failure, which was at least five days ago. A single failed attempt does not decide, unless
 * the receiver says that the destination has ended. The owner is notified half-way, once.
 */
export function judgeNotification(
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  { failingSinceMs, warnedMs }: Failures,
  nowMs: number,
): HealthChange {
  if (outcome.kind === 'delivered') return failingSinceMs === null ? 'none' : 'recovered';
  if (outcome.kind === 'retry-later' && outcome.ours) return 'none';
  if (outcome.kind === 'refused' && outcome.isGone) return 'gone';
  if (failingSinceMs === null) return 'began-to-fail';
  const failingMs = nowMs - failingSinceMs;
  if (status === 'failed' && failingMs >= GIVE_UP_AFTER_MS) return 'give-up';
  const isWarned = warnedMs !== null && warnedMs >= failingSinceMs;
  return failingMs >= WARN_AFTER_MS && !isWarned ? 'half-way' : 'none';
}

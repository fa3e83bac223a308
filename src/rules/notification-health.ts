import type { AttemptOutcome } from './delivery-schedule';

/** Reason why a notification is disabled. */
export type SwitchedOff = 'owner' | 'failing' | 'unsubscribed';

/** A notification is disabled if its destination accepts nothing for this long. */
export const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/** The change of a notification after an attempt. */
export type HealthChange = 'none' | 'recovered' | 'began-to-fail' | 'give-up';

/**
 * Judges a notification by an attempt to its destination. It is disabled when a delivery fails permanently and nothing
 * has arrived since the first failure, which was at least five days ago. A single failed attempt never decides.
 */
export function judgeNotification(
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  failingSinceMs: number | null,
  nowMs: number,
): HealthChange {
  if (outcome.kind === 'delivered') return failingSinceMs === null ? 'none' : 'recovered';
  if (outcome.kind === 'retry-later' && outcome.ours) return 'none';
  if (failingSinceMs === null) return 'began-to-fail';
  return status === 'failed' && nowMs - failingSinceMs >= GIVE_UP_AFTER_MS ? 'give-up' : 'none';
}

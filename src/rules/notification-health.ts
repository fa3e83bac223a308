import type { AttemptOutcome } from './delivery-schedule';

/** Why a notification is switched off. */
export type SwitchedOff = 'owner' | 'failing' | 'unsubscribed';

/** A destination where nothing arrives for this long is given up. */
export const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/** What is to be done with a notification after an attempt. */
export type HealthChange = 'none' | 'recovered' | 'began-to-fail' | 'give-up';

/**
 * Judges a notification by an attempt to its destination. It is given up when a delivery fails for good and nothing
 * arrived since the first failure, five days ago or longer: a single failed attempt never decides.
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

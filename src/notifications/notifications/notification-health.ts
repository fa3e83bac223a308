import type { Notification } from '../../storage/models/notification.model';
import type { AttemptOutcome } from '../delivery/delivery-schedule';

export type SwitchedOff = 'owner' | 'failing' | 'unsubscribed' | 'gone';

/** A destination that accepts nothing for this long disables its notification. */
export const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/** The owner gets a notice after this time without success. */
export const WARN_AFTER_MS = GIVE_UP_AFTER_MS / 2;

export interface Failures {
  /** First failure after the last success; null while attempts succeed. */
  failingSinceMs: number | null;
  warnedMs: number | null;
}

export type HealthChange = 'none' | 'recovered' | 'began-to-fail' | 'half-way' | 'give-up' | 'gone';

/**
 * Disables when a delivery fails permanently and nothing has arrived for five days. One attempt decides only if the
 * destination has ended. Warns once, half-way.
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

export function switchTo(notification: Notification, enabled: boolean, reason: SwitchedOff = 'owner'): void {
  if (notification.enabled === enabled) return;
  notification.set({ enabled, disabledReason: enabled ? null : reason, failingSinceMs: null });
}

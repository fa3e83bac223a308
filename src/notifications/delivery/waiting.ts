/** Says in words why a delivery waits. */
export interface Wait {
  reason: string;
  /** Null if not known. */
  untilMs: number | null;
  /** A worker could attempt it now. */
  isDue?: boolean;
}

/** The wait of the most urgent delivery of a notification. */
export interface Waiting extends Wait {
  count: number;
  critical: number;
}

export interface Pending {
  attempts: number;
  /** Null while throttled. */
  nextAttemptMs: number | null;
  /** Null without a lease. */
  leasedUntilMs: number | null;
  /** A limit; null if none postpones it. */
  waitsFor: string | null;
  /** The name of the trigger whose alert holds it. */
  heldBy: string | null;
  receiver: string | null;
  pausedFor: string | null;
  error: string | null;
}

/** A due delivery counts as waiting after this time. */
export const OVERDUE_MS = 10_000;

/** Null if the delivery is on its way, or planned for later by its owner. */
export function whyWaiting(delivery: Pending, nowMs: number): Wait | null {
  const { attempts, nextAttemptMs, leasedUntilMs, waitsFor, heldBy, pausedFor, error } = delivery;
  if (nextAttemptMs === null) return { reason: throttledReason(delivery), untilMs: null, isDue: pausedFor === null };
  const isDue = nextAttemptMs <= nowMs - OVERDUE_MS && (leasedUntilMs ?? 0) <= nowMs;
  if (attempts > 0) {
    return { reason: `attempt ${attempts} failed: ${error ?? 'unknown'}`, untilMs: nextAttemptMs, isDue };
  }
  if (waitsFor !== null && nextAttemptMs > nowMs) return { reason: waitsFor, untilMs: nextAttemptMs };
  if (heldBy !== null && !isDue) return { reason: `held by ${heldBy}`, untilMs: null };
  return isDue ? { reason: 'no worker has attempted it yet', untilMs: null, isDue } : null;
}

function throttledReason({ receiver, pausedFor, error }: Pending): string {
  if (pausedFor !== null) return `the operator has paused ${receiver}${pausedFor && `: ${pausedFor}`}`;
  const latest = error === null ? '' : `; its latest attempt failed: ${error}`;
  return `as many deliveries as may go to ${receiver} at once are under way${latest}`;
}

export function mailLimitReason({ kind, limit }: { kind: string; limit: number }, address: string): string {
  switch (kind) {
    case 'mails-of-user':
      return `the hourly limit of ${limit} mails of your account is reached`;
    case 'digests-to-address':
      return `the limit of ${limit} digests a minute to ${address} is reached`;
    case 'digests-of-user':
      return `the limit of ${limit} digests a minute of your account is reached`;
    default:
      return `the hourly limit of ${limit} mails to ${address} is reached`;
  }
}

/** For people who get no other view. `name` is the name of the notification. */
export function waitingText({ count, critical, reason, untilMs }: Waiting, name: string): string {
  const what = `${count} ${count === 1 ? 'delivery waits' : 'deliveries wait'}`;
  const ofThem = critical > 0 ? ` (${critical} critical)` : '';
  const next = untilMs === null ? '' : `. The next try is at ${new Date(untilMs).toISOString().slice(0, 19)}Z`;
  return `Notification ${name}: ${what}${ofThem}: ${reason}${next}.`;
}

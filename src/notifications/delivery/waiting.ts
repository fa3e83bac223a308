/** Why a delivery waits, in words, and until when. */
export interface Wait {
  reason: string;
  /** Null if that is not known. */
  untilMs: number | null;
}

/** The same of a notification: of the most urgent of its deliveries that wait. */
export interface Waiting extends Wait {
  /** How many of its deliveries wait, and how many of these are critical. */
  count: number;
  critical: number;
}

/** What decides whether a pending delivery waits. */
export interface Pending {
  attempts: number;
  /** Null while it is throttled. */
  nextAttemptMs: number | null;
  /** Until when a worker has leased it; null if none has. */
  leasedUntilMs: number | null;
  /** Which limit postpones it; null if none does. */
  waitsFor: string | null;
  receiver: string | null;
  /** Why an operator has paused its receiver; null if none has. */
  pausedFor: string | null;
  /** Why its latest attempt failed; null if none did. */
  error: string | null;
}

/** A due delivery waits for a worker this long before it counts as waiting. */
export const OVERDUE_MS = 10_000;

/** Why a pending delivery waits; null if it is on its way, or planned for later by its owner. */
export function whyWaiting(delivery: Pending, nowMs: number): Wait | null {
  const { attempts, nextAttemptMs, leasedUntilMs, waitsFor, error } = delivery;
  if (nextAttemptMs === null) return { reason: throttledReason(delivery), untilMs: null };
  if (attempts > 0) return { reason: `attempt ${attempts} failed: ${error ?? 'unknown'}`, untilMs: nextAttemptMs };
  if (waitsFor !== null && nextAttemptMs > nowMs) return { reason: waitsFor, untilMs: nextAttemptMs };
  const isOverdue = nextAttemptMs <= nowMs - OVERDUE_MS && (leasedUntilMs ?? 0) <= nowMs;
  return isOverdue ? { reason: 'no worker has attempted it yet', untilMs: null } : null;
}

function throttledReason({ receiver, pausedFor, error }: Pending): string {
  if (pausedFor !== null) return `the operator has paused ${receiver}${pausedFor && `: ${pausedFor}`}`;
  const latest = error === null ? '' : `; its latest attempt failed: ${error}`;
  return `as many deliveries as may go to ${receiver} at once are under way${latest}`;
}

/** Which limit of mails is reached, in words. */
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

/** What waits, in one sentence for people who get no other view of it. `name` is the name of the notification. */
export function waitingText({ count, critical, reason, untilMs }: Waiting, name: string): string {
  const what = `${count} ${count === 1 ? 'delivery waits' : 'deliveries wait'}`;
  const ofThem = critical > 0 ? ` (${critical} critical)` : '';
  const next = untilMs === null ? '' : `. The next try is at ${new Date(untilMs).toISOString().slice(0, 19)}Z`;
  return `Notification ${name}: ${what}${ofThem}: ${reason}${next}.`;
}

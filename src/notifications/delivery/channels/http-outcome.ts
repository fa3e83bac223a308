import { type Answer, whyNoSuccess } from '../../../language/success';
import type { AttemptOutcome, RetryLater } from '../delivery-schedule';

const ATTEMPTS_AGAINST_CLIENT_ERRORS = 3;
/** "Not now" rather than "not this". */
const TRANSIENT_CLIENT_ERRORS: ReadonlySet<number> = new Set([408, 425, 429]);

export function outcomeOfStatus(statusCode: number, retryAfterMs?: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode };
  if (statusCode === 410) return { kind: 'refused', reason: 'the receiver is permanently gone', statusCode };
  const isClientError = statusCode >= 400 && statusCode < 500 && !TRANSIENT_CLIENT_ERRORS.has(statusCode);
  return {
    kind: 'retry-later',
    reason: `the receiver answered ${statusCode}`,
    statusCode,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isClientError ? { maxAttempts: ATTEMPTS_AGAINST_CLIENT_ERRORS } : {}),
  };
}

/** An answer that is no success by the owner's expression is retried, whatever its status. */
export function judged(outcome: AttemptOutcome, success: string, answer: Answer): AttemptOutcome {
  const reason = whyNoSuccess(success, answer);
  const { status: statusCode } = answer;
  if (reason === null) return { kind: 'delivered', statusCode };
  return outcome.kind === 'delivered' ? { kind: 'retry-later', reason, statusCode } : outcome;
}

export function isServerFailure({ statusCode }: RetryLater): boolean {
  return statusCode === undefined || statusCode >= 500 || statusCode === 429;
}

/** Reads seconds or a date (RFC 9110, 10.2.3). Returns milliseconds. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

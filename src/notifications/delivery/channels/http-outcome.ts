import { type Answer, whyNoSuccess } from '../../../language/success';
import type { AttemptOutcome, RetryLater } from '../delivery-schedule';

const ATTEMPTS_AGAINST_CLIENT_ERRORS = 3;
/** Client errors that mean "not now" rather than "not this". */
const TRANSIENT_CLIENT_ERRORS: ReadonlySet<number> = new Set([408, 425, 429]);

/** The outcome of an attempt that was answered with this status, and with this `Retry-After` if any. */
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

/** The outcome by the expression of the owner: an answer that is no success is tried again, whatever its status. */
export function judged(outcome: AttemptOutcome, success: string, answer: Answer): AttemptOutcome {
  const reason = whyNoSuccess(success, answer);
  const { status: statusCode } = answer;
  if (reason === null) return { kind: 'delivered', statusCode };
  return outcome.kind === 'delivered' ? { kind: 'retry-later', reason, statusCode } : outcome;
}

/** True if an attempt found the server overloaded, broken or unreachable. */
export function isServerFailure({ statusCode }: RetryLater): boolean {
  return statusCode === undefined || statusCode >= 500 || statusCode === 429;
}

/** Parses a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3). Returns milliseconds. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

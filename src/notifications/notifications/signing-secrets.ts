/** A replaced secret of a notification, and the time of its replacement. */
export interface ReplacedSecret {
  secret: string;
  replacedMs: number;
}

const HOUR_MS = 3_600_000;

/** For this long a replaced secret signs in addition to the current one, so that receivers can change over. */
export const SIGNS_ON_MS = 24 * HOUR_MS;
/** Limit for an owner who replaces secrets quickly. */
const MAX_KEPT = 20;
const MAX_SIGNATURES = 5;

/** Reads the stored list; `null` is an empty one. */
export function readReplacedSecrets(stored: string | null): ReplacedSecret[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** The list of replaced secrets, newest first, after `secret` was replaced now. */
export function replaceSecret(secret: string, replaced: readonly ReplacedSecret[], nowMs: number): ReplacedSecret[] {
  const kept = replaced.filter(({ replacedMs }) => nowMs - replacedMs < SIGNS_ON_MS);
  return [{ secret, replacedMs: nowMs }, ...kept].slice(0, MAX_KEPT);
}

/** The secrets that sign now: the present one, then those replaced within the last day. */
export function signingSecrets(secret: string, replaced: readonly ReplacedSecret[], nowMs: number): string[] {
  const before = replaced.filter(({ replacedMs }) => nowMs - replacedMs < SIGNS_ON_MS).map((one) => one.secret);
  return [secret, ...before].slice(0, MAX_SIGNATURES);
}

/** Until when the last replaced secret also signs; may be in the past. */
export function previousSignsUntil(replaced: readonly ReplacedSecret[]): number | null {
  const last = replaced[0];
  return last ? last.replacedMs + SIGNS_ON_MS : null;
}

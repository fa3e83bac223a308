export interface ReplacedSecret {
  secret: string;
  replacedMs: number;
}

const HOUR_MS = 3_600_000;

/** Receivers can change over while a replaced secret also signs. */
export const SIGNS_ON_MS = 24 * HOUR_MS;
/** Limits an owner who replaces secrets quickly. */
const MAX_KEPT = 20;
const MAX_SIGNATURES = 5;

/** `null` is an empty list. */
export function readReplacedSecrets(stored: string | null): ReplacedSecret[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** Newest first. */
export function replaceSecret(secret: string, replaced: readonly ReplacedSecret[], nowMs: number): ReplacedSecret[] {
  const kept = replaced.filter(({ replacedMs }) => nowMs - replacedMs < SIGNS_ON_MS);
  return [{ secret, replacedMs: nowMs }, ...kept].slice(0, MAX_KEPT);
}

/** The present secret comes first. */
export function signingSecrets(secret: string, replaced: readonly ReplacedSecret[], nowMs: number): string[] {
  const before = replaced.filter(({ replacedMs }) => nowMs - replacedMs < SIGNS_ON_MS).map((one) => one.secret);
  return [secret, ...before].slice(0, MAX_SIGNATURES);
}

/** May be in the past; null without a replaced secret. */
export function previousSignsUntil(replaced: readonly ReplacedSecret[]): number | null {
  const last = replaced[0];
  return last ? last.replacedMs + SIGNS_ON_MS : null;
}

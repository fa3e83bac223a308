const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Lifetimes by `tok_expir`; null is unlimited. */
const LIFETIMES_MS: Readonly<Record<string, number | null>> = {
  '0': null,
  '1': HOUR_MS,
  '2': DAY_MS,
  '3': 7 * DAY_MS,
  '4': 30 * DAY_MS,
};

export function expiryOf(tokExpir: string, nowMs: number): number | null | undefined {
  if (!Object.hasOwn(LIFETIMES_MS, tokExpir)) return undefined;
  const lifetimeMs = LIFETIMES_MS[tokExpir] ?? null;
  return lifetimeMs === null ? null : nowMs + lifetimeMs;
}

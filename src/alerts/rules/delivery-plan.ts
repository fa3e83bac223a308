export interface PlannedFiring {
  firedMs: number;
  /** Start of the episode. */
  episodeMs: number;
  /** No earlier firing was delivered: they were muted. */
  isFirst: boolean;
  /** The first firing was muted, and has deliveries nonetheless. */
  isDeferred: boolean;
  /** When a muted firing is delivered, if its episode still lasts. */
  deferredUntilMs?: number | undefined;
}

/** True if a firing is delivered, at once or after its mute. */
export function isDelivered(
  { isMuted, deferredUntilMs }: { isMuted: boolean; deferredUntilMs?: number },
  isFirst: boolean,
): boolean {
  return !isMuted || (isFirst && deferredUntilMs !== undefined);
}

/**
 * Time of a delivery to a notification that joins an episode after `afterS`: at once if that is over, else then, for
 * the first firing only. A muted first firing also waits for the end of the mute. Undefined if nothing is delivered.
 */
export function deliveryTimeMs(
  { firedMs, episodeMs, isFirst, isDeferred, deferredUntilMs = firedMs }: PlannedFiring,
  afterS: number,
): number | undefined {
  const dueMs = Math.max(episodeMs + afterS * 1000, deferredUntilMs);
  if (dueMs <= firedMs) return firedMs;
  return isFirst && !isDeferred ? dueMs : undefined;
}

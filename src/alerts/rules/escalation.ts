export interface EpisodeFiring {
  firedMs: number;
  /** Start of the episode. */
  episodeMs: number;
  /** No earlier firing was delivered: they were muted. */
  isFirst: boolean;
  /** End of the mute; absent if the firing is not muted. */
  deferredUntilMs?: number | undefined;
}

/**
 * Time of a delivery to a notification that joins an episode after `afterS`: at once if that is over, else then, for
 * the first firing only. A muted first firing also waits for the end of the mute. Undefined if nothing is delivered.
 */
export function deliveryTimeMs(
  { firedMs, episodeMs, isFirst, deferredUntilMs = firedMs }: EpisodeFiring,
  afterS: number,
): number | undefined {
  const dueMs = Math.max(episodeMs + afterS * 1000, deferredUntilMs);
  if (dueMs <= firedMs) return firedMs;
  return isFirst ? dueMs : undefined;
}

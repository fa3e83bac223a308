/** A delivered firing within its episode. */
export interface EpisodeFiring {
  firedMs: number;
  /** When the episode began. */
  episodeMs: number;
  /** True if no firing of the episode was delivered before: the others were muted. */
  isFirst: boolean;
  /** When the mute is over in which it fired; absent if it is not muted. */
  deferredUntilMs?: number | undefined;
}

/**
 * When a notification that takes part in an episode `afterS` seconds after its beginning gets the delivery of a firing:
 * at once if the time is over, and else at its end for the first firing only. A muted firing waits for the end of the
 * mute as well, and only the first one is delivered. Undefined if it gets none.
 */
export function deliveryTimeMs(
  { firedMs, episodeMs, isFirst, deferredUntilMs = firedMs }: EpisodeFiring,
  afterS: number,
): number | undefined {
  const dueMs = Math.max(episodeMs + afterS * 1000, deferredUntilMs);
  if (dueMs <= firedMs) return firedMs;
  return isFirst ? dueMs : undefined;
}

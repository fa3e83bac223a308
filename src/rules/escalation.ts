/** A delivered firing within its episode. */
export interface EpisodeFiring {
  firedMs: number;
  /** When the episode began. */
  episodeMs: number;
  /** True if no firing of the episode was delivered before: the others were muted. */
  isFirst: boolean;
}

/**
 * When a notification that takes part in an episode `afterS` seconds after its beginning gets the delivery of a firing:
 * at once if the time is over, and else at its end for the first firing only. Undefined if it gets none.
 */
export function deliveryTimeMs({ firedMs, episodeMs, isFirst }: EpisodeFiring, afterS: number): number | undefined {
  const dueMs = episodeMs + afterS * 1000;
  if (dueMs <= firedMs) return firedMs;
  return isFirst ? dueMs : undefined;
}

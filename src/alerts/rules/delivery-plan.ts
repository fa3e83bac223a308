import { type MutedMoment, type Muting, muteEndMs } from '../../edge/mute';

export interface PlannedFiring {
  firedMs: number;
  /** Start of the episode. */
  episodeMs: number;
  isMuted: boolean;
  /** No earlier firing was delivered: they were muted. */
  isFirst: boolean;
  /** The first firing was muted, and has deliveries nonetheless. */
  isDeferred: boolean;
  /** When a muted firing is delivered, if its episode still lasts. */
  deferredUntilMs?: number | undefined;
}

/** True if a firing is delivered, at once or after its mute. */
export function isDelivered({
  isMuted,
  isFirst,
  deferredUntilMs,
}: Pick<PlannedFiring, 'isMuted' | 'isFirst' | 'deferredUntilMs'>): boolean {
  return !isMuted || (isFirst && deferredUntilMs !== undefined);
}

/**
 * Time of a delivery to a notification that joins an episode after `afterS`: at once if that is over, else then, for
 * the first firing only. A muted first firing also waits for the end of the mute. Undefined if nothing is delivered.
 */
export function deliveryTimeMs(
  { firedMs, episodeMs, isFirst, isDeferred, deferredUntilMs = firedMs }: Omit<PlannedFiring, 'isMuted'>,
  afterS: number,
): number | undefined {
  const dueMs = Math.max(episodeMs + afterS * 1000, deferredUntilMs);
  if (dueMs <= firedMs) return firedMs;
  return isFirst && !isDeferred ? dueMs : undefined;
}

/** Time of the delivery of an end: now, or after a mute. Null if ends are not delivered. */
export function endTimeMs(notifyResolved: boolean, muting: Muting, moment: MutedMoment): number | null {
  return notifyResolved ? muteEndMs(muting, moment) : null;
}

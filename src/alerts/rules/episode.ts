/** Cause of the end of an episode: data, its user, or an edit of the trigger or the sensor. */
export type ResolvedBy = 'data' | 'user' | 'edit';

/** Cause of an episode. Every sensor trigger has one episode per cause. */
export type EpisodeCause = 'expression' | 'inactivity';

/** The time from a firing until its cause is over. All times are milliseconds. */
export interface Episode {
  /** Time of the first firing. With the sensor trigger it identifies the episode. */
  readonly beganMs: number;
  /** Time of the latest firing. */
  readonly firedMs: number;
  /** True if a user has acknowledged it: it does not fire again. */
  readonly isAcknowledged: boolean;
  /** True if any of its firings was not muted, so its end must be delivered. */
  readonly isAnnounced: boolean;
}

/** How often a trigger fires while an episode lasts. */
export interface Repeat {
  /** Seconds: 0 not again; null or absent as if there were no episode. */
  repeat?: number | null;
}

/** Why an open episode prevents a firing now, or null if the trigger may fire. */
export function whyHeldBack(
  { repeat }: Repeat,
  episode: Episode | null,
  nowMs: number,
): 'acknowledged' | 'held-back' | null {
  if (episode === null) return null;
  if (episode.isAcknowledged) return 'acknowledged';
  if (repeat === undefined || repeat === null) return null;
  return repeat === 0 || nowMs - episode.firedMs < repeat * 1000 ? 'held-back' : null;
}

/** The episode after a firing: a new one, or the open one continued. One that is acknowledged does not fire. */
export function episodeAfterFiring(before: Episode | null, nowMs: number, isMuted: boolean): Episode {
  return {
    beganMs: before?.beganMs ?? nowMs,
    firedMs: nowMs,
    isAcknowledged: false,
    isAnnounced: before?.isAnnounced === true || !isMuted,
  };
}

/** Cause of the end of an episode: data, its user, or an edit of the trigger or the sensor. */
export type ResolvedBy = 'data' | 'user' | 'edit';

/** A sensor trigger has one episode per cause. */
export type EpisodeCause = 'expression' | 'inactivity';

export const CAUSES: readonly EpisodeCause[] = ['expression', 'inactivity'];
/** Fields of a state that hold the open episodes. */
export const EPISODE_FIELDS = { expression: 'episode', inactivity: 'inactivityEpisode' } as const;

/** From a firing until its cause is over. Times are ms. */
export interface Episode {
  /** First firing. Identifies the episode with the sensor trigger. */
  readonly beganMs: number;
  readonly firedMs: number;
  /** An acknowledged episode does not fire again. */
  readonly isAcknowledged: boolean;
  /** A firing was not muted, so the end must be delivered. */
  readonly isAnnounced: boolean;
}

export interface Repeat {
  /** Seconds: 0 not again; null or absent as if there were no episode. */
  repeat?: number | null;
}

/** Null if the trigger may fire. */
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

/** An acknowledged episode does not fire. */
export function episodeAfterFiring(before: Episode | null, nowMs: number, isMuted: boolean): Episode {
  return {
    beganMs: before?.beganMs ?? nowMs,
    firedMs: nowMs,
    isAcknowledged: false,
    isAnnounced: before?.isAnnounced === true || !isMuted,
  };
}

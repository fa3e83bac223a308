/** What ends an episode: data, its user, or a change of what is watched. */
export type ResolvedBy = 'data' | 'user' | 'edit';

/** What makes an episode: each of the two has its own on every sensor trigger. */
export type EpisodeCause = 'expression' | 'inactivity';

/** From a firing until its cause is over. All times are milliseconds. */
export interface Episode {
  /** When it fired first: with the sensor trigger that names the episode. */
  readonly beganMs: number;
  /** When it fired last. */
  readonly firedMs: number;
  /** Its user knows: it does not fire again. */
  readonly isAcknowledged: boolean;
  /** Whether any of its firings was not muted, so that somebody waits for its end. */
  readonly isAnnounced: boolean;
}

/** How often a trigger fires while an episode lasts. */
export interface Repeat {
  /** Seconds: 0 not again, null or not given as if there were no episode. */
  repeat?: number | null;
}

/** Why an episode lets the trigger not fire again now, or null when it may. */
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

/** The episode after a firing, which begins one or continues the one under way. */
export function episodeAfterFiring(before: Episode | null, nowMs: number, isMuted: boolean): Episode {
  return {
    beganMs: before?.beganMs ?? nowMs,
    firedMs: nowMs,
    isAcknowledged: before?.isAcknowledged ?? false,
    isAnnounced: before?.isAnnounced === true || !isMuted,
  };
}

import type { TriggerState } from './trigger-state';

/** State of a sensor trigger: not true; true but not fired yet; an episode is open. */
export type AlertState = 'ok' | 'pending' | 'firing';

type Watched = Pick<TriggerState, 'episode' | 'inactivityEpisode' | 'pendingSinceMs'>;

export function alertState({ episode, inactivityEpisode, pendingSinceMs }: Watched): AlertState {
  if (episode !== null || inactivityEpisode !== null) return 'firing';
  return pendingSinceMs === null ? 'ok' : 'pending';
}

/** A state with changed episodes; `stateSinceMs` moves if the alert state changes. */
export function changed(before: TriggerState, change: Partial<Watched>, nowMs: number): TriggerState {
  const after = { ...before, ...change };
  return alertState(before) === alertState(after) ? after : { ...after, stateSinceMs: nowMs };
}

/** True if two states of one sensor trigger, one derived from the other, have the same episodes. */
export function hasSameEpisodes(a: TriggerState, b: TriggerState): boolean {
  return (
    a.stateSinceMs === b.stateSinceMs &&
    a.pendingSinceMs === b.pendingSinceMs &&
    a.episode === b.episode &&
    a.inactivityEpisode === b.inactivityEpisode
  );
}

import type { TriggerState } from './trigger-state';

/** What a sensor trigger shows: nothing is wrong; it is true but has not fired; an episode lasts. */
export type AlertState = 'ok' | 'pending' | 'firing';

type Watched = Pick<TriggerState, 'episode' | 'inactivityEpisode' | 'pendingSinceMs'>;

/** Either episode makes it firing. */
export function alertState({ episode, inactivityEpisode, pendingSinceMs }: Watched): AlertState {
  if (episode !== null || inactivityEpisode !== null) return 'firing';
  return pendingSinceMs === null ? 'ok' : 'pending';
}

/** A state with changed episodes, and since when it shows what it shows. */
export function changed(before: TriggerState, change: Partial<Watched>, nowMs: number): TriggerState {
  const after = { ...before, ...change };
  return alertState(before) === alertState(after) ? after : { ...after, stateSinceMs: nowMs };
}

/** Whether two states of one sensor trigger, one of which came from the other, have the same episodes. */
export function hasSameEpisodes(a: TriggerState, b: TriggerState): boolean {
  return (
    a.stateSinceMs === b.stateSinceMs &&
    a.pendingSinceMs === b.pendingSinceMs &&
    a.episode === b.episode &&
    a.inactivityEpisode === b.inactivityEpisode
  );
}

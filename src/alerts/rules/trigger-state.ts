import type { Episode } from './episode';

/** The state of one sensor trigger between messages. All times are milliseconds. */
export interface TriggerState {
  readonly active: boolean;
  /** 0 before the first firing. */
  readonly lastTriggeredMs: number;
  readonly timesTriggered: number;
  /** The last evaluated point; null if there is none yet. */
  readonly lastValue: string | null;
  readonly lastDateMs: number | null;
  /** Why the latest evaluation had no result; null if it had one. */
  readonly lastError: string | null;
  /** Start of the current inactivity (arrival, connection, activation or the latest inactivity firing). */
  readonly inactiveSinceMs: number | null;
  /** When the inactivity will be complete, as far as is known now. */
  readonly dueAtMs: number | null;
  /** Since when the alert state is ok, pending or firing; null since its connection. */
  readonly stateSinceMs: number | null;
  /** Date of the point from which on the expression is true; null once it has fired. */
  readonly pendingSinceMs: number | null;
  /** Date of the point from which on the condition of an open episode is over (`keep_firing_for`); null otherwise. */
  readonly clearSinceMs: number | null;
  /** When the clock fires a pending alert, or ends an episode whose condition is over, unless a point comes first. */
  readonly conditionDueMs: number | null;
  readonly episode: Episode | null;
  readonly inactivityEpisode: Episode | null;
}

/** The state of a sensor trigger that its owner sets; undefined fields do not change. */
export interface SensorTriggerChange {
  active?: boolean;
  lastTriggeredMs?: number;
  /**
   * The count under each of its names, the specification's first. The first one that differs from the stored count is
   * used.
   */
  timesTriggered?: readonly number[];
  lastValue?: string;
  lastDateMs?: number;
  /** null: no longer muted. */
  mutedUntilMs?: number | null;
}

export const MINUTE_MS = 60_000;

/** True if the trigger fired within the last minute, by the server's clock. */
export function isWithinTheMinute(state: TriggerState, nowMs: number): boolean {
  return state.lastTriggeredMs !== 0 && nowMs - state.lastTriggeredMs < MINUTE_MS;
}

/** The state after a firing at this moment. */
export function fired(state: TriggerState, nowMs: number): TriggerState {
  return { ...state, lastTriggeredMs: nowMs, timesTriggered: state.timesTriggered + 1 };
}

/** The episodes of a sensor trigger that has just been connected. */
export const NO_EPISODES = {
  stateSinceMs: null,
  pendingSinceMs: null,
  clearSinceMs: null,
  conditionDueMs: null,
  episode: null,
  inactivityEpisode: null,
} as const;

/** State of a sensor trigger: not true; true but not fired yet; an episode is open. */
export type AlertState = 'ok' | 'pending' | 'firing';

type Watched = Pick<TriggerState, 'episode' | 'inactivityEpisode' | 'pendingSinceMs'>;

export function alertState({ episode, inactivityEpisode, pendingSinceMs }: Watched): AlertState {
  if (episode !== null || inactivityEpisode !== null) return 'firing';
  return pendingSinceMs === null ? 'ok' : 'pending';
}

/** The part of a state that changes with its episodes. */
type Episodes = Watched & Pick<TriggerState, 'clearSinceMs' | 'conditionDueMs'>;

/** A state with changed episodes; `stateSinceMs` moves if the alert state changes. */
export function changed(before: TriggerState, change: Partial<Episodes>, nowMs: number): TriggerState {
  const after = { ...before, ...change };
  return alertState(before) === alertState(after) ? after : { ...after, stateSinceMs: nowMs };
}

/** True if two states of one sensor trigger, one derived from the other, have the same episodes. */
export function hasSameEpisodes(a: TriggerState, b: TriggerState): boolean {
  return (
    a.stateSinceMs === b.stateSinceMs &&
    a.pendingSinceMs === b.pendingSinceMs &&
    a.clearSinceMs === b.clearSinceMs &&
    a.conditionDueMs === b.conditionDueMs &&
    a.episode === b.episode &&
    a.inactivityEpisode === b.inactivityEpisode
  );
}

/** True if nothing of a state has changed. */
export function isSameState(a: TriggerState, b: TriggerState): boolean {
  if (a === b) return true;
  return (
    a.active === b.active &&
    a.lastTriggeredMs === b.lastTriggeredMs &&
    a.timesTriggered === b.timesTriggered &&
    a.lastValue === b.lastValue &&
    a.lastDateMs === b.lastDateMs &&
    a.lastError === b.lastError &&
    a.inactiveSinceMs === b.inactiveSinceMs &&
    a.dueAtMs === b.dueAtMs &&
    hasSameEpisodes(a, b)
  );
}

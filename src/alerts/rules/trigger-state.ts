import type { Episode } from './episode';

/** State of a sensor trigger. Times are ms. */
export interface TriggerState {
  readonly active: boolean;
  /** 0 before the first firing. */
  readonly lastTriggeredMs: number;
  readonly timesTriggered: number;
  readonly lastValue: string | null;
  readonly lastDateMs: number | null;
  /** Why the latest evaluation had no result, or null. */
  readonly lastError: string | null;
  /** Arrival, connection, activation or the latest firing by inactivity. */
  readonly inactiveSinceMs: number | null;
  /** When the inactivity will be complete, as far as is known. */
  readonly dueAtMs: number | null;
  /** Start of the alert state; null since the connection. */
  readonly stateSinceMs: number | null;
  /** Date of the first true point; null once it has fired. */
  readonly pendingSinceMs: number | null;
  /** The condition of an open episode is over since this date (`keep_firing_for`), or null. */
  readonly clearSinceMs: number | null;
  /** When the clock fires a pending alert, or ends an episode, unless a point comes first. */
  readonly conditionDueMs: number | null;
  readonly episode: Episode | null;
  readonly inactivityEpisode: Episode | null;
}

/** Undefined fields do not change. */
export interface SensorTriggerChange {
  active?: boolean;
  lastTriggeredMs?: number;
  /**
   * One count under each of its names, the specification's first. The first one that differs from the stored count is
   * used.
   */
  timesTriggered?: readonly number[];
  lastValue?: string;
  lastDateMs?: number;
  /** Null: no longer muted. */
  mutedUntilMs?: number | null;
}

export const MINUTE_MS = 60_000;

export function isWithinTheMinute(state: TriggerState, nowMs: number): boolean {
  return state.lastTriggeredMs !== 0 && nowMs - state.lastTriggeredMs < MINUTE_MS;
}

export function fired(state: TriggerState, nowMs: number): TriggerState {
  return { ...state, lastTriggeredMs: nowMs, timesTriggered: state.timesTriggered + 1 };
}

/** Neither `hold` nor `keep_firing_for` runs. */
export const NOT_WAITING = { pendingSinceMs: null, clearSinceMs: null, conditionDueMs: null } as const;

export const NO_EPISODES = {
  stateSinceMs: null,
  ...NOT_WAITING,
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

type Episodes = Watched & Pick<TriggerState, 'clearSinceMs' | 'conditionDueMs'>;

/** Moves `stateSinceMs` if the alert state changes. */
export function changed(before: TriggerState, change: Partial<Episodes>, nowMs: number): TriggerState {
  const after = { ...before, ...change };
  return alertState(before) === alertState(after) ? after : { ...after, stateSinceMs: nowMs };
}

/** For states of one sensor trigger, one derived from the other. */
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

import { changedState } from './changed-state';
import { CAUSES, EPISODE_FIELDS, type Episode, type EpisodeCause } from './episode';
import type { Outage } from './inactivity';
import type { TriggerRule } from './trigger-rule';
import { changed, NOT_WAITING, type TriggerState } from './trigger-state';

/** The rest of the state is that of the live trigger: both see the same points. */
export type ShadowState = Omit<TriggerState, 'active' | 'lastValue' | 'lastDateMs'> & {
  /** Absent if it is that of the live trigger. */
  readonly lastValue?: string | null;
};

/** The live trigger when the shadow decided last. */
interface Seen extends Pick<TriggerState, 'lastTriggeredMs' | 'timesTriggered'> {
  version: number;
  episode: Pick<Episode, 'beganMs' | 'isAcknowledged'> | null;
  inactivityEpisode: Pick<Episode, 'beganMs' | 'isAcknowledged'> | null;
}

/** What is stored of a shadow on one sensor. */
export interface ShadowMemory {
  state: ShadowState;
  seen: Seen;
  /** Points that were left out. */
  untried: number;
}

interface Live {
  state: TriggerState;
  version: number;
}

interface FollowedEnd {
  cause: EpisodeCause;
  beganMs: number;
}

/** The state in which a shadow begins: that of the live trigger, had an edit that keeps episodes changed its rule now. */
export function shadowAtStart(
  { state, version }: Live,
  rules: { before: Required<TriggerRule>; after: Required<TriggerRule> },
  at: { nowMs: number; outages: readonly Outage[] },
): ShadowMemory {
  return { state: changedState(state, { ...rules, ...at }), seen: seenOf({ state, version }), untried: 0 };
}

/**
 * What people have done to the live trigger since the last decision counts for the shadow as well: an acknowledgement of
 * an open alert, its end by hand, and other numbers of its firings.
 */
export function followLive(
  { state, seen }: ShadowMemory,
  live: Live,
  { inactivity }: Pick<TriggerRule, 'inactivity'>,
  nowMs: number,
): { state: TriggerState; ends: FollowedEnd[] } {
  const { active, lastDateMs } = live.state;
  const { lastValue = live.state.lastValue } = state;
  let next: TriggerState = { ...state, ...setByHand(live.state, seen), active, lastValue, lastDateMs };
  const ends: FollowedEnd[] = [];
  for (const cause of CAUSES) {
    const field = EPISODE_FIELDS[cause];
    const own = next[field];
    const now = live.state[field];
    const was = seen[field];
    const isAcknowledged = now?.isAcknowledged && !(was?.beganMs === now.beganMs && was.isAcknowledged);
    if (own && isAcknowledged) next = { ...next, [field]: { ...own, isAcknowledged: true } };
    // After an edit of the rule, the end may be that of the edit.
    if (was === null || now?.beganMs === was.beganMs || live.version !== seen.version) continue;
    if (own) ends.push({ cause, beganMs: own.beganMs });
    next = withoutEpisode(next, cause, nowMs, inactivity);
  }
  return { state: next, ends };
}

function setByHand({ lastTriggeredMs, timesTriggered }: TriggerState, seen: Seen): Partial<ShadowState> {
  return {
    ...(lastTriggeredMs !== seen.lastTriggeredMs && { lastTriggeredMs }),
    ...(timesTriggered !== seen.timesTriggered && { timesTriggered }),
  };
}

/** The next inactivity is as long as the rule says, not as its repetition. */
function withoutEpisode(
  state: TriggerState,
  cause: EpisodeCause,
  nowMs: number,
  inactivity: number | null,
): TriggerState {
  if (cause === 'inactivity') {
    const { inactiveSinceMs } = state;
    const dueAtMs = inactiveSinceMs === null || inactivity === null ? null : inactiveSinceMs + inactivity * 1000;
    return changed({ ...state, dueAtMs }, { inactivityEpisode: null }, nowMs);
  }
  return changed(state, { ...NOT_WAITING, episode: null }, nowMs);
}

function seenOf({ state, version }: Live): Seen {
  const of = (episode: Episode | null) =>
    episode && { beganMs: episode.beganMs, isAcknowledged: episode.isAcknowledged };
  const { lastTriggeredMs, timesTriggered, episode, inactivityEpisode } = state;
  return {
    ...{ version, lastTriggeredMs, timesTriggered },
    ...{ episode: of(episode), inactivityEpisode: of(inactivityEpisode) },
  };
}

/** `live`: after the decisions of the pass. `hasOwnLast`: one of both rules keeps the last place as its last value. */
export function encodeShadow(state: TriggerState, live: Live, untried: number, hasOwnLast = false): string {
  const { active: _, lastValue, lastDateMs: __, ...rest } = state;
  const kept = hasOwnLast && lastValue !== live.state.lastValue ? { ...rest, lastValue } : rest;
  return JSON.stringify({ state: kept, seen: seenOf(live), untried } satisfies ShadowMemory);
}

export function decodeShadow(text: string): ShadowMemory {
  return JSON.parse(text);
}

const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** When the clock may have to decide. */
export function shadowDueMs({ dueAtMs, conditionDueMs }: ShadowState): number {
  return Math.min(dueAtMs ?? NEVER_MS, conditionDueMs ?? NEVER_MS);
}

/**
 * The state of a sensor trigger that takes over the rule and the state of its shadow. An episode that is open
 * in both keeps its identity. One that is open in the shadow alone is due at once, and the next pass fires it, unless its
 * condition is over and it only waits for `keep_firing_for`. `ends` names the episodes that are open live alone.
 */
export function switchedState(
  live: TriggerState,
  { state: shadow }: Pick<ShadowMemory, 'state'>,
  { inactivity }: Required<TriggerRule>,
  nowMs: number,
): { state: TriggerState; ends: EpisodeCause[]; fires: number } {
  const only = CAUSES.filter((cause) => isOpenOnlyIn(shadow, live, cause));
  const fires = only.filter((cause) => cause === 'inactivity' || shadow.clearSinceMs === null);
  const ends = CAUSES.filter((cause) => isOpenOnlyIn(live, shadow, cause));
  const { clearSinceMs, conditionDueMs, pendingSinceMs, inactiveSinceMs, dueAtMs, lastError } = shadow;
  const { lastValue = live.lastValue } = shadow;
  const due = fires.includes('expression') && { pendingSinceMs: live.lastDateMs ?? nowMs, conditionDueMs: nowMs };
  const waiting = only.includes('expression')
    ? { ...NOT_WAITING, ...due }
    : { pendingSinceMs, clearSinceMs, conditionDueMs };
  // A firing moves the start of the inactivity to the time at which it was complete.
  const watch = fires.includes('inactivity')
    ? { inactiveSinceMs: (inactiveSinceMs ?? nowMs) - (inactivity ?? 0) * 1000, dueAtMs: nowMs }
    : { inactiveSinceMs, dueAtMs };
  const episodes = {
    episode: shadow.episode && live.episode,
    inactivityEpisode: shadow.inactivityEpisode && live.inactivityEpisode,
  };
  const state = changed({ ...live, ...watch, lastError, lastValue }, { ...waiting, ...episodes }, nowMs);
  return { state, ends, fires: fires.length };
}

function isOpenOnlyIn(one: ShadowState, other: ShadowState, cause: EpisodeCause): boolean {
  const field = EPISODE_FIELDS[cause];
  return one[field] !== null && other[field] === null;
}

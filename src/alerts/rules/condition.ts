import { type FiringVariables, firingVariables } from '../../notifications';
import { type ArrivedPoint, type DataPoint, PRESENT_MS } from '../../points';
import { episodeAfterFiring, type Repeat, whyHeldBack } from './episode';
import { changed, fired, isWithinTheMinute, MINUTE_MS, NOT_WAITING, type TriggerState } from './trigger-state';

export interface ConditionRule extends Repeat {
  /** Seconds, by points and clock; 0 unless given. */
  hold?: number;
  /** Seconds; 0 unless given. */
  keepFiringFor?: number;
}

export interface FiringContext {
  nowMs: number;
  /** A muted firing is recorded and not delivered. */
  isMuted?: (nowMs: number) => boolean;
}

export type ConditionDecision =
  | { fire: true; reason: 'fired' | 'muted'; variables: FiringVariables }
  | {
      fire: false;
      reason: 'false' | 'resolved' | 'pending' | 'held-back' | 'keeps-firing' | 'acknowledged' | 'once-a-minute';
    };

interface Decided {
  decision: ConditionDecision;
  state: TriggerState;
}

const FALSE = { fire: false, reason: 'false' } as const;
const RESOLVED = { fire: false, reason: 'resolved' } as const;
const ONCE_A_MINUTE = { fire: false, reason: 'once-a-minute' } as const;
const KEEPS_FIRING = { fire: false, reason: 'keeps-firing' } as const;

/** Variables of a firing come from `before`; `seen` has this point as the last one. */
export function decideOnTrue(
  rule: ConditionRule,
  before: TriggerState,
  seen: TriggerState,
  point: ArrivedPoint,
  context: FiringContext,
): Decided {
  const { nowMs } = context;
  const { episode } = before;
  const held = whyHeldBack(rule, episode, nowMs);
  if (held) return { decision: { fire: false, reason: held }, state: notClear(seen) };
  const pendingSinceMs = before.pendingSinceMs ?? point.dateMs;
  const waiting = () =>
    episode === null && before.pendingSinceMs === null ? pending(rule, seen, point, nowMs) : notClear(seen);
  if (episode === null && point.dateMs - pendingSinceMs < (rule.hold ?? 0) * 1000) {
    return { decision: { fire: false, reason: 'pending' }, state: waiting() };
  }
  if (isWithinTheMinute(before, nowMs)) {
    return { decision: ONCE_A_MINUTE, state: waiting() };
  }
  return fire(before, seen, point, context);
}

function fire(before: TriggerState, seen: TriggerState, point: DataPoint, { nowMs, isMuted }: FiringContext): Decided {
  const muted = isMuted?.(nowMs) ?? false;
  const episode = episodeAfterFiring(before.episode, nowMs, muted);
  const variables = firingVariables(before, point, nowMs);
  return {
    decision: { fire: true, reason: muted ? 'muted' : 'fired', variables },
    state: changed(fired(seen, nowMs), { ...NOT_WAITING, episode }, nowMs),
  };
}

/** Fires by the clock when `hold` and the minute after a firing are over. */
function pending(rule: ConditionRule, seen: TriggerState, point: ArrivedPoint, nowMs: number): TriggerState {
  const heldMs = clockOf(point) + (rule.hold ?? 0) * 1000;
  const conditionDueMs = Math.max(heldMs, isWithinTheMinute(seen, nowMs) ? seen.lastTriggeredMs + MINUTE_MS : 0);
  return changed(seen, { pendingSinceMs: point.dateMs, conditionDueMs }, nowMs);
}

/** The date of a point, or its arrival if the date is not current. */
function clockOf({ dateMs, receivedMs = dateMs }: ArrivedPoint): number {
  return receivedMs - dateMs <= PRESENT_MS ? Math.min(dateMs, receivedMs) : receivedMs;
}

/** The end that waited for `keep_firing_for` is off. */
function notClear(seen: TriggerState): TriggerState {
  return seen.clearSinceMs === null ? seen : { ...seen, clearSinceMs: null, conditionDueMs: null };
}

/** Ends an episode at once, or after `keep_firing_for`. */
export function decideOnFalse(
  rule: ConditionRule,
  seen: TriggerState,
  point: ArrivedPoint,
  { nowMs }: FiringContext,
): Decided {
  if (seen.episode === null) {
    const state = seen.pendingSinceMs === null ? seen : changed(seen, NOT_WAITING, nowMs);
    return { decision: FALSE, state };
  }
  const keepMs = (rule.keepFiringFor ?? 0) * 1000;
  const clearSinceMs = seen.clearSinceMs ?? point.dateMs;
  if (point.dateMs - clearSinceMs >= keepMs) return resolve(seen, nowMs);
  if (seen.clearSinceMs !== null) return { decision: KEEPS_FIRING, state: seen };
  const state = changed(seen, { clearSinceMs, conditionDueMs: clockOf(point) + keepMs }, nowMs);
  return { decision: KEEPS_FIRING, state };
}

/** The expression is false and the condition not over: the end that `keep_firing_for` waits for is off. */
export function keepFiring(seen: TriggerState): Decided {
  return { decision: KEEPS_FIRING, state: notClear(seen) };
}

function resolve(state: TriggerState, nowMs: number): Decided {
  return { decision: RESOLVED, state: changed(state, { ...NOT_WAITING, episode: null }, nowMs) };
}

/** True if the time of the condition was over before this point. */
export function isDueBefore({ conditionDueMs }: TriggerState, { dateMs, receivedMs = dateMs }: ArrivedPoint): boolean {
  return conditionDueMs !== null && conditionDueMs < Math.min(dateMs, receivedMs);
}

/**
 * The decision is null before its time; within a minute of a firing by inactivity, the alert waits. Points received
 * before that time come first.
 */
export function decideOnConditionDue(
  state: TriggerState,
  context: FiringContext,
): { decision: ConditionDecision | null; state: TriggerState } {
  const { active, conditionDueMs, pendingSinceMs, clearSinceMs, episode, lastValue, lastDateMs } = state;
  if (!active || conditionDueMs === null || conditionDueMs > context.nowMs) return { decision: null, state };
  if (episode !== null && clearSinceMs !== null) return resolve(state, context.nowMs);
  const isPending = episode === null && pendingSinceMs !== null && lastValue !== null && lastDateMs !== null;
  if (!isPending) return { decision: null, state: { ...state, conditionDueMs: null } };
  if (isWithinTheMinute(state, context.nowMs)) {
    return { decision: ONCE_A_MINUTE, state: { ...state, conditionDueMs: state.lastTriggeredMs + MINUTE_MS } };
  }
  return fire(state, state, { value: lastValue, dateMs: lastDateMs }, context);
}

import type { DataPoint } from './data-point';
import { decideOnPoint, type PointDecision } from './firing';
import { decideOnInactivityDue, type InactivityDecision, onArrival } from './inactivity';
import type { TimeRange } from './time-range';
import type { TriggerRule } from './trigger-rule';
import { NO_EPISODES, type TriggerState } from './trigger-state';

/** One thing that a trigger decides while stored data passes by, by the clock of that data. */
export interface BacktestStep {
  atMs: number;
  decision: PointDecision | InactivityDecision;
  before: TriggerState;
  /** None when it is about an inactivity. */
  point: DataPoint | null;
  /** What the trigger remembers from then on. */
  state: TriggerState;
}

/** The state of a trigger that has just been connected; `inactiveSinceMs` is when data came last, if it is known. */
export function stateAtStart({ inactivity }: TriggerRule, inactiveSinceMs: number | null): TriggerState {
  const watches = inactivity !== null && inactiveSinceMs !== null;
  return {
    active: true,
    lastTriggeredMs: 0,
    timesTriggered: 0,
    lastValue: null,
    lastDateMs: null,
    lastError: null,
    inactiveSinceMs: watches ? inactiveSinceMs : null,
    dueAtMs: watches ? inactiveSinceMs + inactivity * 1000 : null,
    ...NO_EPISODES,
  };
}

/** The next inactivity that is complete in this range; one that was complete before it counts at its beginning. */
export function nextInactivity(
  { inactivity, repeat }: TriggerRule,
  before: TriggerState,
  range: TimeRange,
): BacktestStep | null {
  if (inactivity === null || before.dueAtMs === null) return null;
  const atMs = Math.max(before.dueAtMs, range.startMs);
  if (atMs > range.endMs) return null;
  const context = { nowMs: atMs, availableUntilMs: atMs, outages: [] };
  const { decision, state } = decideOnInactivityDue({ inactivity, repeat }, before, context);
  return { atMs, decision, before, point: null, state };
}

/**
 * A point comes at its own date; every inactivity before it must have been handled. It may end the episode of an inactivity, and
 * is then decided on itself.
 */
export function onBacktestPoint(
  rule: TriggerRule,
  before: TriggerState,
  point: DataPoint,
  dataType: string,
): BacktestStep[] {
  const { dateMs } = point;
  const armed = onArrival(rule, before, dateMs, { nowMs: dateMs, outages: [] });
  const { decision, state } = decideOnPoint(rule, armed, point, { nowMs: dateMs, dataType });
  const decided: BacktestStep = { atMs: dateMs, decision, before: armed, point, state };
  if (before.inactivityEpisode === armed.inactivityEpisode) return [decided];
  return [{ atMs: dateMs, decision: { fire: false, reason: 'resolved' }, before, point: null, state: armed }, decided];
}

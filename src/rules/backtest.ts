import type { DataPoint } from './data-point';
import { decideOnPoint, type PointDecision } from './firing';
import { decideOnInactivityDue, type InactivityDecision, onArrival } from './inactivity';
import type { TimeRange } from './time-range';
import type { TriggerRule } from './trigger-rule';
import { NO_EPISODES, type TriggerState } from './trigger-state';

/** One decision of a trigger on stored data, by the clock of that data. */
export interface BacktestStep {
  atMs: number;
  decision: PointDecision | InactivityDecision;
  before: TriggerState;
  /** Null if the decision is about an inactivity. */
  point: DataPoint | null;
  /** State of the trigger after the decision. */
  state: TriggerState;
}

/** The state of a trigger that has just been connected; `inactiveSinceMs` is the time of the latest data, if known. */
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
 * Decides on a point at its own date; every earlier inactivity must have been handled. The point may first end the
 * episode of an inactivity.
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

import type { DataPoint } from './data-point';
import { decideOnPoint, type PointDecision } from './firing';
import { decideOnInactivityDue, type InactivityDecision, onArrival } from './inactivity';
import type { TimeRange } from './time-range';
import type { TriggerRule } from './trigger-rule';
import type { TriggerState } from './trigger-state';

/** One thing that a trigger decides while stored data passes by, by the clock of that data. */
export interface BacktestStep {
  atMs: number;
  decision: PointDecision | InactivityDecision;
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
  };
}

/** The next inactivity that is complete in this range; one that was complete before it counts at its beginning. */
export function nextInactivity(
  { inactivity }: TriggerRule,
  before: TriggerState,
  range: TimeRange,
): BacktestStep | null {
  if (inactivity === null || before.dueAtMs === null) return null;
  const atMs = Math.max(before.dueAtMs, range.startMs);
  if (atMs > range.endMs) return null;
  const context = { nowMs: atMs, availableUntilMs: atMs, outages: [] };
  const { decision, state } = decideOnInactivityDue({ inactivity }, before, context);
  return { atMs, decision, point: null, state };
}

/** A point comes at its own date; every inactivity before it must have been handled. */
export function onBacktestPoint(
  rule: TriggerRule,
  before: TriggerState,
  point: DataPoint,
  dataType: string,
): BacktestStep {
  const { dateMs } = point;
  const armed = onArrival(rule, before, dateMs, []);
  const { decision, state } = decideOnPoint(rule, armed, point, { nowMs: dateMs, dataType });
  return { atMs: dateMs, decision, point, state };
}

import type { TimeRange } from '../../edge/time-range';
import type { DataPoint } from '../../points';
import { decideOnConditionDue } from './condition';
import type { EpisodeCause } from './episode';
import { decideOnPoint, type PointContext, type PointDecision } from './firing';
import { decideOnInactivityDue, type InactivityDecision, onArrival } from './inactivity';
import type { TriggerRule } from './trigger-rule';
import { NO_EPISODES, type TriggerState } from './trigger-state';

export interface BacktestStep {
  atMs: number;
  cause: EpisodeCause;
  decision: PointDecision | InactivityDecision;
  before: TriggerState;
  /** Null if the clock decided. */
  point: DataPoint | null;
  state: TriggerState;
}

/** State at the connection; `inactiveSinceMs` is the time of the latest data. */
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

/**
 * What the clock decides next: inactivity, or a condition due before the end of the range. What was due before the
 * range counts at its beginning.
 */
export function nextDue(
  rule: TriggerRule,
  before: TriggerState,
  range: TimeRange,
  { isMuted }: Pick<PointContext, 'isMuted'> = {},
): BacktestStep | null {
  const conditionMs = before.conditionDueMs ?? Number.POSITIVE_INFINITY;
  const inactivityMs = before.dueAtMs ?? Number.POSITIVE_INFINITY;
  const atMs = Math.max(Math.min(conditionMs, inactivityMs), range.startMs);
  if (atMs > range.endMs) return null;
  if (conditionMs <= inactivityMs) {
    if (conditionMs >= range.endMs) return null;
    const { decision, state } = decideOnConditionDue(before, { nowMs: atMs, isMuted });
    return decision && { atMs, cause: 'expression', decision, state, before, point: null };
  }
  const { inactivity, repeat } = rule;
  if (inactivity === null) return null;
  const context = { nowMs: atMs, availableUntilMs: atMs, outages: [], isMuted };
  return {
    atMs,
    cause: 'inactivity',
    ...decideOnInactivityDue({ inactivity, repeat }, before, context),
    before,
    point: null,
  };
}

/**
 * Decides at the point's date. Handle everything due earlier first, and put the point into the windows. The point may
 * end an inactivity.
 */
export function onBacktestPoint(
  rule: TriggerRule,
  before: TriggerState,
  point: DataPoint,
  sensor: Pick<PointContext, 'dataType' | 'labels' | 'zones' | 'windows' | 'isMuted'>,
): BacktestStep[] {
  const { dateMs } = point;
  const armed = onArrival(rule, before, dateMs, { nowMs: dateMs, outages: [] });
  const { dataType, labels, zones, windows, isMuted } = sensor;
  const context = { nowMs: dateMs, dataType, labels, zones, windows, isMuted };
  const { decision, state } = decideOnPoint(rule, armed, point, context);
  const decided: BacktestStep = { atMs: dateMs, cause: 'expression', decision, before: armed, point, state };
  if (before.inactivityEpisode === armed.inactivityEpisode) return [decided];
  return [
    {
      atMs: dateMs,
      cause: 'inactivity',
      decision: { fire: false, reason: 'resolved' },
      before,
      point: null,
      state: armed,
    },
    decided,
  ];
}

import type { CompiledExpression, CompiledWindow, Variables } from '../../language/compiled-expression';
import { compileExpression } from '../../language/expression';
import type { SensorLabels } from '../../language/labels';
import { readValue } from '../../language/sensor-value';
import type { PointWindows } from '../../language/windows/sensor-windows';
import { type SensorZones, Whereabouts } from '../../language/zones/sensor-zones';
import { seconds } from '../../notifications';
import { type ArrivedPoint, type DataPoint, isLate, isTooFarAhead } from '../../points';
import {
  type ConditionDecision,
  type ConditionRule,
  decideOnFalse,
  decideOnTrue,
  type FiringContext,
  keepFiring,
} from './condition';
import { whyHeldBack } from './episode';
import { keepsLastPlace } from './rule-zones';
import { type TriggerState } from './trigger-state';

export type PointDecision =
  | ConditionDecision
  | {
      fire: false;
      reason: 'inactive' | 'late' | 'too-far-ahead' | 'no-previous-value' | 'cannot-be-evaluated' | 'no-expression';
      error?: string;
    };

export interface PointRule extends ConditionRule {
  expression: string | null;
  /** If given, an episode ends only when this is true. */
  resolveExpression?: string | null;
  /** Time zone of functions of time; UTC unless given. */
  timezone?: string;
}

export interface PointContext extends FiringContext {
  /** Decides whether numbers sent as text are numbers. */
  dataType: string;
  windows?: PointWindows;
  labels?: SensorLabels | undefined;
  zones?: SensorZones | undefined;
  /** Why the point is not evaluated; undefined if it is. */
  unevaluated?: string | undefined;
}

interface Decided {
  decision: PointDecision;
  state: TriggerState;
}

/** Stays until the sensor trigger evaluates a point. */
export const AHEAD_ERROR =
  'a point was not evaluated: it is dated more than an hour ahead of the clock of the platform';

const INACTIVE = { fire: false, reason: 'inactive' } as const;
const FALSE = { fire: false, reason: 'false' } as const;
const LATE = { fire: false, reason: 'late' } as const;
const TOO_FAR_AHEAD = { fire: false, reason: 'too-far-ahead' } as const;

/**
 * An evaluated point becomes the last value and date; for `last_zone()`, one without a position only the date. A point
 * that is not evaluated (inactive, late, too far ahead)
 * changes nothing, except that one too far ahead sets the error. A point without a result changes neither the pending
 * state nor an episode.
 */
export function decideOnPoint(
  rule: PointRule,
  state: TriggerState,
  point: ArrivedPoint,
  context: PointContext,
): Decided {
  if (!state.active) return { decision: INACTIVE, state };
  if (isLate(state, point)) return { decision: LATE, state };
  if (isTooFarAhead(point.dateMs, context.nowMs)) return onTooFarAhead(rule, state);

  const result = evaluate(rule.expression, rule, state, point, context);
  const lastError = result.lastError === undefined ? state.lastError : result.lastError;
  const lastValue = keepsPlace(rule, state, point, context) ? state.lastValue : point.value;
  const seen = { ...state, lastError, lastValue, lastDateMs: point.dateMs };
  if (result.decision) return { decision: result.decision, state: seen };
  if (result.isTrue) return decideOnTrue(rule, state, seen, point, context);
  if (state.episode === null || !rule.resolveExpression) return decideOnFalse(rule, seen, point, context);
  const end = evaluate(rule.resolveExpression, rule, state, point, context);
  if (end.decision) return { decision: end.decision, state: { ...seen, lastError: end.lastError ?? lastError } };
  return end.isTrue ? decideOnFalse(rule, seen, point, context) : keepFiring(seen);
}

/**
 * The decision on a point with this result, if that changes nothing but the last value and date, whatever the time; else
 * null. For rules without an inactivity.
 */
export function steadyDecision(rule: PointRule, state: TriggerState, isTrue: boolean): ConditionDecision | null {
  const { active, lastError, episode, pendingSinceMs, clearSinceMs, conditionDueMs } = state;
  if (!active || lastError !== null || pendingSinceMs !== null) return null;
  if (clearSinceMs !== null || conditionDueMs !== null) return null;
  if (episode === null) return isTrue ? null : FALSE;
  const isHeldBack = rule.repeat === 0 || episode.isAcknowledged;
  const reason = isTrue && isHeldBack ? whyHeldBack(rule, episode, episode.firedMs) : null;
  return reason && { fire: false, reason };
}

/** A trigger without an expression evaluates no point, and would report the error permanently. */
function onTooFarAhead({ expression }: PointRule, state: TriggerState): Decided {
  const isKnown = expression === null || state.lastError === AHEAD_ERROR;
  return { decision: TOO_FAR_AHEAD, state: isKnown ? state : { ...state, lastError: AHEAD_ERROR } };
}

function keepsPlace(
  rule: PointRule,
  { lastValue }: TriggerState,
  { value }: DataPoint,
  { zones, dataType }: PointContext,
): boolean {
  if (!zones || lastValue === null || !keepsLastPlace(rule)) return false;
  return new Whereabouts(readValue(value, dataType), zones).zoneIfKnown === undefined;
}

/** An absent error does not change the stored one. */
type Result =
  | { decision: PointDecision; lastError?: string }
  | { decision?: undefined; isTrue: boolean; lastError: null };

function evaluate(
  text: string | null,
  { timezone }: PointRule,
  state: TriggerState,
  point: DataPoint,
  context: PointContext,
): Result {
  if (text === null) return { decision: { fire: false, reason: 'no-expression' } };
  if (context.unevaluated !== undefined) return impossible(context.unevaluated);
  const compiled = compileExpression(text);
  if (!compiled.ok) return impossible(compiled.error);
  const { expression } = compiled;
  if (lacksPrevious(expression, state)) return { decision: { fire: false, reason: 'no-previous-value' } };
  const { windows, labels, zones } = context;
  const windowResults = windows && ((window: CompiledWindow) => windows.valueOf(window, point.dateMs));
  const surroundings = windowResults || labels || zones ? { windowResults, labels, zones } : undefined;
  const result = expression.evaluate(variablesFor(expression, state, point, context, timezone), surroundings);
  return result.ok ? { isTrue: result.value, lastError: null } : impossible(result.error);
}

function impossible(why: string): { decision: PointDecision; lastError: string } {
  const error = why.slice(0, 250);
  return { decision: { fire: false, reason: 'cannot-be-evaluated', error }, lastError: error };
}

function lacksPrevious(expression: CompiledExpression, state: TriggerState): boolean {
  if (state.lastValue === null && expression.reads('last_sensor_data_value')) return true;
  return state.lastDateMs === null && expression.reads('last_sensor_data_date');
}

function variablesFor(
  expression: CompiledExpression,
  state: TriggerState,
  point: DataPoint,
  { nowMs, dataType }: PointContext,
  timezone: string | undefined,
): Variables {
  // Reading a value may mean parsing JSON, so unused variables are not read.
  const read = (name: string, stored: string | null) =>
    stored !== null && expression.reads(name) ? readValue(stored, dataType) : null;
  return {
    last_triggered: seconds(state.lastTriggeredMs),
    times_triggered: state.timesTriggered,
    last_sensor_data_value: read('last_sensor_data_value', state.lastValue),
    last_sensor_data_date: state.lastDateMs === null ? null : seconds(state.lastDateMs),
    sensor_data_value: read('sensor_data_value', point.value),
    sensor_data_date: seconds(point.dateMs),
    current_time: seconds(nowMs),
    timezone,
  };
}

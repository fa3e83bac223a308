import type { DataPoint } from './data-point';
import { type CompiledExpression, compileExpression, type Variables } from './expression';
import { readValue } from './sensor-value';
import {
  type FiringVariables,
  fired,
  firingVariables,
  isWithinTheMinute,
  seconds,
  type TriggerState,
} from './trigger-state';

export type PointDecision =
  | { fire: true; reason: 'fired'; variables: FiringVariables }
  | {
      fire: false;
      reason:
        | 'false'
        | 'once-a-minute'
        | 'inactive'
        | 'late'
        | 'too-far-ahead'
        | 'no-previous-value'
        | 'cannot-be-evaluated'
        | 'no-expression';
      error?: string;
    };

export interface PointContext {
  nowMs: number;
  /** The sensor's data type: decides whether numbers sent as text are numbers. */
  dataType: string;
}

/** A point dated further ahead of the server's clock than this is not evaluated. */
export const MAX_AHEAD_MS = 3_600_000;

/**
 * Whether a point makes the trigger go off, and what the trigger remembers after it. A point that is evaluated becomes
 * the last value and date, whatever the decision; one that is not (inactive, late, too far ahead) changes nothing.
 */
export function decideOnPoint(
  rule: { expression: string | null },
  state: TriggerState,
  point: DataPoint,
  context: PointContext,
): { decision: PointDecision; state: TriggerState } {
  if (!state.active) return { decision: { fire: false, reason: 'inactive' }, state };
  if (state.lastDateMs !== null && point.dateMs <= state.lastDateMs) {
    return { decision: { fire: false, reason: 'late' }, state };
  }
  if (point.dateMs - context.nowMs > MAX_AHEAD_MS) return { decision: { fire: false, reason: 'too-far-ahead' }, state };

  const { decision, lastError } = evaluate(rule.expression, state, point, context);
  const seen = { ...state, lastError, lastValue: point.value, lastDateMs: point.dateMs };
  return { decision, state: decision.fire ? fired(seen, context.nowMs) : seen };
}

function evaluate(
  text: string | null,
  state: TriggerState,
  point: DataPoint,
  context: PointContext,
): { decision: PointDecision; lastError: string | null } {
  const { lastError } = state;
  if (text === null) return { decision: { fire: false, reason: 'no-expression' }, lastError };
  const compiled = compileExpression(text);
  if (!compiled.ok) return impossible(compiled.error);
  const { expression } = compiled;
  if (lacksPrevious(expression, state)) return { decision: { fire: false, reason: 'no-previous-value' }, lastError };

  const result = expression.evaluate(variablesFor(expression, state, point, context));
  if (!result.ok) return impossible(result.error);
  if (!result.value) return { decision: { fire: false, reason: 'false' }, lastError: null };
  if (isWithinTheMinute(state, context.nowMs)) {
    return { decision: { fire: false, reason: 'once-a-minute' }, lastError: null };
  }
  const variables = firingVariables(state, point, context.nowMs);
  return { decision: { fire: true, reason: 'fired', variables }, lastError: null };
}

function impossible(why: string): { decision: PointDecision; lastError: string } {
  const error = why.slice(0, 250);
  return { decision: { fire: false, reason: 'cannot-be-evaluated', error }, lastError: error };
}

/** By PUT one of the two may have been set without the other. */
function lacksPrevious(expression: CompiledExpression, state: TriggerState): boolean {
  if (state.lastValue === null && expression.reads('last_sensor_data_value')) return true;
  return state.lastDateMs === null && expression.reads('last_sensor_data_date');
}

function variablesFor(
  expression: CompiledExpression,
  state: TriggerState,
  point: DataPoint,
  { nowMs, dataType }: PointContext,
): Variables {
  // Reading a value may mean parsing JSON: not for an expression that does not read it.
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
  };
}

import { compileExpression } from '../../language/expression';
import { isTimeZone, TIME_ZONE_RULE } from '../../language/local-time';

const MIN_INACTIVITY_SECONDS = 60;

export interface TriggerRule {
  expression: string | null;
  inactivity: number | null;
  /** Seconds that the expression must be true; 0 unless given. */
  hold?: number;
  /**
   * Seconds until the next firing of an open episode. 0: none; null or absent: once a minute, or after each inactivity.
   */
  repeat?: number | null;
  /** If given, an episode of the expression ends only when this is true. */
  resolveExpression?: string | null;
  /** Seconds that the condition must be over; 0 unless given. */
  keepFiringFor?: number;
  /** IANA time zone of functions of time; UTC unless given. */
  timezone?: string;
}

/** Columns of a trigger that hold its rule. */
export const RULE_COLUMNS = [
  'expression',
  'inactivity',
  'hold',
  'repeat',
  'resolveExpression',
  'keepFiringFor',
  'timezone',
] as const;

/** The rule of a trigger, without the rest of it. */
export function ruleOf(rule: TriggerRule): Required<TriggerRule> {
  const { expression, inactivity, hold = 0, repeat = null, resolveExpression = null, keepFiringFor = 0 } = rule;
  const { timezone = 'UTC' } = rule;
  return { expression, inactivity, hold, repeat, resolveExpression, keepFiringFor, timezone };
}

/** Also for `keep_firing_for`. */
const MAX_HOLD_SECONDS = 86_400;
const MIN_REPEAT_SECONDS = 60;

export interface RuleProblem {
  field: 'expression' | 'inactivity' | 'hold' | 'repeat' | 'resolve_expression' | 'keep_firing_for' | 'timezone';
  why: string;
}

/** Null for a valid rule. */
export function ruleProblem(rule: TriggerRule): RuleProblem | null {
  const { expression, inactivity, hold = 0, repeat = null, keepFiringFor = 0, resolveExpression = null } = rule;
  if (expression === null && inactivity === null) {
    return { field: 'expression', why: 'is required, unless an inactivity is given' };
  }
  if (inactivity !== null && !(Number.isInteger(inactivity) && inactivity >= MIN_INACTIVITY_SECONDS)) {
    return { field: 'inactivity', why: `must be a whole number of seconds, at least ${MIN_INACTIVITY_SECONDS}` };
  }
  if (!isHold(hold)) return { field: 'hold', why: NO_HOLD };
  if (!isHold(keepFiringFor)) return { field: 'keep_firing_for', why: NO_HOLD };
  if (repeat !== null && !(Number.isInteger(repeat) && (repeat === 0 || repeat >= MIN_REPEAT_SECONDS))) {
    return { field: 'repeat', why: `must be 0, or a whole number of seconds, at least ${MIN_REPEAT_SECONDS}` };
  }
  if (expression === null && resolveExpression !== null) {
    return { field: 'resolve_expression', why: 'needs an expression: an inactivity ends when data comes' };
  }
  const problem = problemOf('expression', expression) ?? problemOf('resolve_expression', resolveExpression);
  return problem ?? zoneProblem(rule.timezone);
}

const NO_HOLD = `must be a whole number of seconds from 0 to ${MAX_HOLD_SECONDS}`;

function isHold(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_HOLD_SECONDS;
}

function zoneProblem(timezone = 'UTC'): RuleProblem | null {
  if (isTimeZone(timezone)) return null;
  return { field: 'timezone', why: TIME_ZONE_RULE };
}

function problemOf(field: 'expression' | 'resolve_expression', text: string | null): RuleProblem | null {
  if (text === null) return null;
  const compiled = compileExpression(text);
  return compiled.ok ? null : { field, why: expressionProblem(compiled) };
}

/** Always names the position (from 0), even if the reason does not. */
function expressionProblem({ error, position }: { error: string; position: number }): string {
  const place = `at position ${position}`;
  return `cannot be used: ${error.includes(place) ? error : `${error} ${place}`}`;
}

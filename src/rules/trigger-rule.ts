import { compileExpression } from './expression';

const MIN_INACTIVITY_SECONDS = 60;

/** The conditions under which a trigger fires. */
export interface TriggerRule {
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
  /** Seconds for which the expression must be true before it fires; 0 unless given. */
  hold?: number;
  /**
   * Seconds after which it fires again while an episode is open. 0: not again; null or absent: once a minute, or after
   * each inactivity.
   */
  repeat?: number | null;
}

const MAX_HOLD_SECONDS = 86_400;
const MIN_REPEAT_SECONDS = 60;

/** The invalid field of a rule, and the reason. */
export interface RuleProblem {
  field: 'expression' | 'inactivity' | 'hold' | 'repeat';
  why: string;
}

/** The reason why a rule cannot be saved, or null when it can. */
export function ruleProblem({ expression, inactivity, hold = 0, repeat = null }: TriggerRule): RuleProblem | null {
  if (expression === null && inactivity === null) {
    return { field: 'expression', why: 'is required, unless an inactivity is given' };
  }
  if (inactivity !== null && !(Number.isInteger(inactivity) && inactivity >= MIN_INACTIVITY_SECONDS)) {
    return { field: 'inactivity', why: `must be a whole number of seconds, at least ${MIN_INACTIVITY_SECONDS}` };
  }
  if (!(Number.isInteger(hold) && hold >= 0 && hold <= MAX_HOLD_SECONDS)) {
    return { field: 'hold', why: `must be a whole number of seconds from 0 to ${MAX_HOLD_SECONDS}` };
  }
  if (repeat !== null && !(Number.isInteger(repeat) && (repeat === 0 || repeat >= MIN_REPEAT_SECONDS))) {
    return { field: 'repeat', why: `must be 0, or a whole number of seconds, at least ${MIN_REPEAT_SECONDS}` };
  }
  if (expression === null) return null;
  const compiled = compileExpression(expression);
  return compiled.ok ? null : { field: 'expression', why: expressionProblem(compiled) };
}

/** One sentence that always names the position (from 0), even if the reason does not. */
function expressionProblem({ error, position }: { error: string; position: number }): string {
  const place = `at position ${position}`;
  return `cannot be used: ${error.includes(place) ? error : `${error} ${place}`}`;
}

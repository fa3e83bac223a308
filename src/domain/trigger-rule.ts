import { compileExpression } from './expression';

export const MIN_INACTIVITY_SECONDS = 60;

/** What lets a trigger fire. */
export interface TriggerRule {
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
}

/** The wrong field of a rule, and why it is refused. */
export interface RuleProblem {
  field: 'expression' | 'inactivity';
  why: string;
}

/** The reason why a rule cannot be saved, or null when it can. */
export function ruleProblem({ expression, inactivity }: TriggerRule): RuleProblem | null {
  if (expression === null && inactivity === null) {
    return { field: 'expression', why: 'is required, unless an inactivity is given' };
  }
  if (inactivity !== null && !(Number.isInteger(inactivity) && inactivity >= MIN_INACTIVITY_SECONDS)) {
    return { field: 'inactivity', why: `must be a whole number of seconds, at least ${MIN_INACTIVITY_SECONDS}` };
  }
  if (expression === null) return null;
  const compiled = compileExpression(expression);
  return compiled.ok ? null : { field: 'expression', why: expressionProblem(compiled) };
}

/** One sentence that always names the position (from 0), even where the reason does not. */
function expressionProblem({ error, position }: { error: string; position: number }): string {
  const place = `at position ${position}`;
  return `cannot be used: ${error.includes(place) ? error : `${error} ${place}`}`;
}

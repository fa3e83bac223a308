import type { CompiledWindow } from '../compiled-expression';
import { compileExpression } from '../expression';
import { WINDOW_FUNCTIONS } from './window-call';

export interface TriggerExpressions {
  expression: string | null;
  resolveExpression?: string | null;
}

/** Maximum number of different `x` in the windows of a sensor's triggers, or of a formula. */
export const MAX_DIFFERENT_X = 20;
export const TOO_MANY_X = `uses more than ${MAX_DIFFERENT_X} different "x" in its window functions`;

export function hasManyX(windows: readonly CompiledWindow[]): boolean {
  return new Set(windows.map(({ key }) => key)).size > MAX_DIFFERENT_X;
}

/** None for an expression that does not compile. */
export function windowsOf({ expression, resolveExpression }: TriggerExpressions): readonly CompiledWindow[] {
  return [...windowsIn(expression), ...windowsIn(resolveExpression)];
}

const NAMES = new RegExp(`\\b(?:${WINDOW_FUNCTIONS.join('|')})\\b`, 'u');

/** False if the expressions have no windows. They are not compiled, which would take a hundred times as long. */
export function mayHaveWindows({ expression, resolveExpression }: TriggerExpressions): boolean {
  return NAMES.test(`${expression ?? ''} ${resolveExpression ?? ''}`);
}

/** In seconds; 0 without windows. */
export function longestWindow(expressions: TriggerExpressions): number {
  return windowsOf(expressions).reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
}

function windowsIn(expression: string | null | undefined): readonly CompiledWindow[] {
  const compiled = expression ? compileExpression(expression) : undefined;
  return compiled?.ok ? compiled.expression.windows : [];
}

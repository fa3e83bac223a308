import { type CompiledWindow, compileExpression } from '../expression';

/** The window functions of an expression; none if it cannot be compiled. */
export function windowsOf(expression: string | null): readonly CompiledWindow[] {
  const compiled = expression === null ? undefined : compileExpression(expression);
  return compiled?.ok ? compiled.expression.windows : [];
}

/** Length of the longest window of an expression, in seconds; 0 without windows. */
export function longestWindow(expression: string | null): number {
  return windowsOf(expression).reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
}

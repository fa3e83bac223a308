import type { CompiledWindow } from '../compiled-expression';
import { compileExpression } from '../expression';
import type { TriggerRule } from '../trigger-rule';

/** The expressions of a trigger. */
export type TriggerExpressions = Pick<TriggerRule, 'expression' | 'resolveExpression'>;

/** The window functions of a trigger's expressions; none of an expression that cannot be compiled. */
export function windowsOf({ expression, resolveExpression }: TriggerExpressions): readonly CompiledWindow[] {
  return [...windowsIn(expression), ...windowsIn(resolveExpression)];
}

/** Length of the longest window of a trigger's expressions, in seconds; 0 without windows. */
export function longestWindow(expressions: TriggerExpressions): number {
  return windowsOf(expressions).reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
}

function windowsIn(expression: string | null | undefined): readonly CompiledWindow[] {
  const compiled = expression ? compileExpression(expression) : undefined;
  return compiled?.ok ? compiled.expression.windows : [];
}

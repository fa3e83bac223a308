import { compileExpression } from '../../language/expression';
import { type LabelCall, mayHaveLabels } from '../../language/labels';
import type { TriggerExpressions } from '../../language/windows/written-windows';

/** The labels that the expressions of a rule name. None for an expression that does not compile. */
export function labelsOf({ expression, resolveExpression }: TriggerExpressions): readonly LabelCall[] {
  if (!mayHaveLabels(expression, resolveExpression)) return [];
  return [expression, resolveExpression].flatMap((text) => {
    const compiled = text ? compileExpression(text) : undefined;
    return compiled?.ok ? compiled.expression.labels : [];
  });
}

import { compileExpression } from '../../language/expression';
import { type LabelCall, mayHaveLabels, type SensorLabels, type UsedLabels, usedLabels } from '../../language/labels';
import type { TriggerExpressions } from '../../language/windows/written-windows';

/** The labels that the expressions of a rule name. None for an expression that does not compile. */
export function labelsOf({ expression, resolveExpression }: TriggerExpressions): readonly LabelCall[] {
  return [expression, resolveExpression].flatMap((text) => {
    const compiled = text && mayHaveLabels(text) ? compileExpression(text) : undefined;
    return compiled?.ok ? compiled.expression.labels : [];
  });
}

/** What a rule used on a sensor. Undefined if its expressions name no label. */
export function labelsUsedBy(rule: TriggerExpressions, labels: SensorLabels | undefined): UsedLabels | undefined {
  return labels && usedLabels(labelsOf(rule), labels);
}

import { withNumbersOfLabels } from '../../../language/labels';
import { unitOf } from '../../../language/measured-value';
import { singleComparison } from '../../../language/single-comparison';
import type { Text, Words } from '../../../platform/words/words';
import type { Alert } from '../alert';
import { durationText } from '../duration-text';

/** One line: the condition, how long no data came, or what ended the episode. */
export function reasonOf(alert: Alert, words: Words): string {
  const { state, reason, resolvedBy, trigger } = alert;
  if (state === 'resolved') {
    if (resolvedBy === 'user') return words.t('it was resolved by hand');
    return words.t(reason === 'inactivity' ? 'data has come again' : 'the condition does not hold any more');
  }
  const { expression, inactivity } = trigger;
  const isInactive = inactivity !== null && (reason === 'inactivity' || expression === null);
  if (isInactive) return words.t('no data for {duration}', { duration: durationText(inactivity, words) });
  const condition = expression && (comparisonText(expression, alert, words) ?? expression);
  return [condition, holdText(alert, words)].filter(Boolean).join(', ');
}

/** Empty without a hold. */
export function holdText({ hold = 0 }: Alert, words: Words): string {
  return hold === 0 ? '' : words.t('held for {duration}', { duration: durationText(hold, words) });
}

const COMPARISONS = {
  '>': 'above {limit}',
  '<': 'below {limit}',
  '>=': 'at least {limit}',
  '<=': 'at most {limit}',
} as const satisfies Record<string, Text>;

/** `above 30 °C`; undefined unless the expression is one comparison of the value with a number. */
export function comparisonText(
  expression: string,
  { sensor, variables }: Pick<Alert, 'sensor' | 'variables'>,
  words: Words,
): string | undefined {
  const { operand, operator, number } = singleComparison(withNumbersOfLabels(expression, variables?.labels)) ?? {};
  if (operand !== 'sensor_data_value' || operator === undefined || number === undefined) return undefined;
  const limit = [words.number(number), unitOf(sensor)].filter((part) => part !== undefined).join(' ');
  return words.t(COMPARISONS[operator], { limit });
}

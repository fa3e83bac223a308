import { formatDuration, type Units, wordOf } from '../../format';
import { t } from '../../language';
import { quantity } from '../../quantity';
import { type Labels, numberOf, PLAIN, read, readLabel } from '../trigger/built-rule';

interface Rule {
  expression: string | null;
  inactivity: number | null;
  /** The variables of an alert, with the labels that the rule read. */
  variables?: object;
}

/** The rule of a trigger: in words if it only compares a value with limits, otherwise its expression. */
export function ruleText({ expression, inactivity, variables }: Rule, units: Units = {}): string {
  const noData = inactivity === null ? '' : t('no data for {time}', { time: formatDuration(inactivity) });
  return [expression && wordsOf(expression, units, Object(variables).labels), noData].filter(Boolean).join(t(', or '));
}

function wordsOf(expression: string, { unit = '', field_units: units }: Units, labels?: Labels): string {
  if (unit && expression === `${PLAIN} == true`) return wordOf('true', unit);
  const built = read({ expression, inactivity: '', hold: '', resolveExpression: '', keepFiringFor: '' });
  const field = built.variable.slice(PLAIN.length + 1);
  const number = (value: number) => quantity(value, field ? (units?.[field] ?? '') : unit);
  const shown = (text: string) => {
    const [value, label] = [numberOf(text, labels), readLabel(text)];
    if (!label || !Number.isNaN(value)) return number(value);
    const { name, missing } = label;
    return missing
      ? t('label “{name}” (missing: {number})', { name, number: number(Number(missing)) })
      : t('label “{name}”', { name });
  };
  const [bound, upper] = [shown(built.bound), shown(built.upper)];
  const words = {
    above: () => t('above {bound}', { bound }),
    below: () => t('below {bound}', { bound }),
    outside: () => t('outside {bound} to {upper}', { bound, upper }),
  }[built.kind as 'above' | 'below' | 'outside']; // other kinds have none
  return words ? [field, words()].filter(Boolean).join(' ') : expression;
}

import { numberOf, read } from '../trigger/built-rule';

/** What an alert is measured by. */
interface Fired {
  expression: string | null;
  reason: string;
  variables: object;
  acknowledged: unknown;
}

/** The number that fired an alert; undefined for an inactivity, and for a value that is no number. */
function firedValue({ reason, variables }: Fired): number | undefined {
  const value = Number(Object(variables).sensor_data_value ?? Number.NaN);
  return reason === 'inactivity' || Number.isNaN(value) ? undefined : value;
}

/** Firings of one rule, the farthest from its limit first. Empty unless the rule compares with one limit. */
export function beyondLimit<T extends Fired>(firings: readonly T[]): { firing: T; value: number }[] {
  const expression = firings[0]?.expression ?? '';
  if (firings.some((one) => one.expression !== expression)) return [];
  const { kind, bound } = read({ expression, inactivity: '', hold: '', resolveExpression: '', keepFiringFor: '' });
  if (kind !== 'above' && kind !== 'below') return [];
  const sign = kind === 'above' ? 1 : -1;
  const valued = firings.flatMap((firing) => {
    const value = firedValue(firing);
    const limit = numberOf(bound, Object(firing.variables).labels) || 0;
    return value === undefined ? [] : [{ firing, value, beyond: sign * (value - limit) }];
  });
  return valued.sort((a, b) => b.beyond - a.beyond);
}

/** Items of one rule, the unacknowledged first; each part begins with the worst value. */
export function worstFirst<T>(items: readonly T[], firingOf: (item: T) => Fired): T[] {
  const rank = new Map(beyondLimit(items.map(firingOf)).map(({ firing }, at) => [firing, at]));
  const rankOf = (firing: Fired) => (firing.acknowledged ? items.length : 0) + (rank.get(firing) ?? 0);
  return [...items].sort((a, b) => rankOf(firingOf(a)) - rankOf(firingOf(b)));
}

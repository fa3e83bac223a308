import { type Token, tokensOf } from '../expression-tokens';
import { isWindowFunction, readWindow, type WindowFunction } from './window-call';

const OF_ANY_VALUE: ReadonlySet<WindowFunction> = new Set(['changes', 'count_over_time']);
const OF_NUMBERS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^', '<', '>', '<=', '>=']);

/**
 * The first window function that reads whole values as numbers, and so finds nothing in lists and objects:
 * `sum_over_time(sensor_data_value, 60)`. Requires a checked expression.
 */
export function windowOfWholeNumbers(expression: string): WindowFunction | undefined {
  const tokens = tokensOf(expression);
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind !== 'name' || !isWindowFunction(value)) continue;
    if (readsWholeNumber(value, readWindow(tokens, at, value).window.inner)) return value;
  }
  return undefined;
}

/** False for an `x` with functions, fields or comparisons that know lists and objects. */
function readsWholeNumber(name: WindowFunction, x: readonly Token[]): boolean {
  const names = x.filter(({ kind }) => kind === 'name');
  const isWhole = names.every(({ value, path }) => value === 'sensor_data_value' && path.length === 0);
  const signs = x.filter(({ kind }) => kind === 'operator');
  if (!isWhole || signs.some(({ value }) => !OF_NUMBERS.has(value))) return false;
  return signs.length > 0 || !OF_ANY_VALUE.has(name);
}

import { type Token, tokensOf } from './expression-tokens';

/** With one of these, an expression becomes false because it fired, more points arrived, or time has passed. */
const PASSING: ReadonlySet<string> = new Set([
  'last_triggered',
  'times_triggered',
  'last_sensor_data_value',
  'last_sensor_data_date',
  'delta',
  'increase',
]);

/**
 * The variable or window function that makes a checked expression false although its cause may continue, or undefined. Such a false result
 * does not end an alert. `sensor_data_value == last_sensor_data_value` is true for as long as a sensor is stuck, so it
 * does not count.
 */
export function passesBy(expression: string): string | undefined {
  const tokens = tokensOf(expression);
  const found = tokens.find(
    (token, at) => token.kind === 'name' && PASSING.has(token.value) && !isUnchanged(tokens, at),
  );
  return found?.value;
}

/** True if the value is only tested for equality with the previous one. */
function isUnchanged(tokens: readonly Token[], at: number): boolean {
  return [-1, 1].some((step) => tokens[at + step]?.value === '==' && isSameField(tokens[at], tokens[at + 2 * step]));
}

function isSameField(last: Token | undefined, current: Token | undefined): boolean {
  const fieldOf = ({ value, path }: Token) =>
    [value, ...path.map((part) => (typeof part === 'number' ? part : part.name))].join('.');
  return !!last && !!current && fieldOf(last) === `last_${fieldOf(current)}`;
}

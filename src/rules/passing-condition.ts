import { type Token, tokensOf } from './expression-tokens';

/** With these in it, an expression becomes false because it fired, or because one more point came. */
const PASSING: ReadonlySet<string> = new Set([
  'last_triggered',
  'times_triggered',
  'last_sensor_data_value',
  'last_sensor_data_date',
]);

/**
 * The variable by which a checked expression becomes false although what it looks for may go on, or undefined. It is no end of an
 * alert then. `sensor_data_value == last_sensor_data_value` is true for as long as a sensor is stuck, so it does not count.
 */
export function passesBy(expression: string): string | undefined {
  const tokens = tokensOf(expression);
  const found = tokens.find(
    (token, at) => token.kind === 'name' && PASSING.has(token.value) && !isUnchanged(tokens, at),
  );
  return found?.value;
}

/** Whether the value is only compared with the one before it, for being the same. */
function isUnchanged(tokens: readonly Token[], at: number): boolean {
  return [-1, 1].some((step) => tokens[at + step]?.value === '==' && isSameField(tokens[at], tokens[at + 2 * step]));
}

function isSameField(last: Token | undefined, current: Token | undefined): boolean {
  const fieldOf = ({ value, path }: Token) => [value, ...path.map(({ name }) => name)].join('.');
  return !!last && !!current && fieldOf(last) === `last_${fieldOf(current)}`;
}

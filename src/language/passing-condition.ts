import { type Token, tokensOf } from './expression-tokens';

/** An expression with one of these becomes false because it fired, points arrived, or time passed. */
const PASSING: ReadonlySet<string> = new Set([
  'last_triggered',
  'times_triggered',
  'last_sensor_data_value',
  'last_sensor_data_date',
]);
const PASSING_WINDOWS: ReadonlySet<string> = new Set(['delta', 'increase', 'rate', 'deriv', 'changes']);

/** Never negative: a low result lasts while little changes. */
const NEVER_NEGATIVE: ReadonlySet<string> = new Set(['increase', 'rate', 'changes']);

/**
 * The reason why an expression may become false although its cause continues: such a result ends no alert. Tests for a
 * stuck sensor do not count: `sensor_data_value == last_sensor_data_value`, `changes(sensor_data_value, 600) == 0`.
 */
export function passesBy(expression: string): string | undefined {
  const tokens = tokensOf(expression);
  const found = tokens.find(({ kind, value }, at) => {
    if (kind !== 'name') return false;
    return PASSING.has(value) ? !isUnchanged(tokens, at) : PASSING_WINDOWS.has(value) && !isLow(tokens, at);
  });
  return found?.value;
}

/** True if the call is only tested for being 0 or low. */
function isLow(tokens: readonly Token[], at: number): boolean {
  const { value: name = '' } = tokens[at] ?? {};
  const behind = tokens[endOfCall(tokens, at)]?.value ?? '';
  const before = tokens[at - 1]?.value ?? '';
  if (behind === '==' || before === '==') return true;
  return NEVER_NEGATIVE.has(name) && (['<', '<='].includes(behind) || ['>', '>='].includes(before));
}

function endOfCall(tokens: readonly Token[], at: number): number {
  let open = 0;
  for (let index = at + 1; index < tokens.length; index += 1) {
    if (tokens[index]?.value === '(') open += 1;
    if (tokens[index]?.value === ')') open -= 1;
    if (open === 0) return index + 1;
  }
  return tokens.length;
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

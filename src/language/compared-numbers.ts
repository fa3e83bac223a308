import { SyntaxProblem, type Token, tokensOf } from './expression-tokens';
import { findLabel, readLabelCall, type SensorLabels } from './labels';

export interface ComparedNumber {
  /** With dots between nested ones; empty for the value itself. */
  field: string;
  value: number;
}

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const BORDERS: ReadonlySet<string> = new Set(['and', 'or', 'not', '?', ':']);
const VALUE = 'sensor_data_value';
const AVERAGE = 'avg_over_time';

/**
 * The numbers that a value, its fields and averages are compared with: 2 and 8 for
 * `sensor_data_value < 2 or sensor_data_value > 8`. A label counts if it is a number on the sensor.
 */
export function comparedNumbers(expression: string, labels?: SensorLabels): ComparedNumber[] {
  try {
    return numbersIn(tokensOf(expression), labels);
  } catch (error) {
    if (error instanceof SyntaxProblem) return [];
    throw error;
  }
}

function numbersIn(tokens: readonly Token[], labels: SensorLabels | undefined): ComparedNumber[] {
  return tokens.flatMap(({ kind, value }, at) => {
    if (kind !== 'operator' || !COMPARISONS.has(value)) return [];
    const field = fieldBefore(tokens, at);
    const number = field === undefined ? undefined : numberAfter(tokens, at, labels);
    return field === undefined || number === undefined ? [] : [{ field, value: number }];
  });
}

/** Undefined before anything but the value, a field or its average. */
function fieldBefore(tokens: readonly Token[], at: number): string | undefined {
  const last = tokens[at - 1];
  if (last?.kind === 'name') return isBorder(tokens[at - 2]) ? fieldOf(last) : undefined;
  const [name, open, operand, comma, seconds] = tokens.slice(at - 6, at - 1);
  const isAverage =
    at >= 6 && last?.value === ')' && name?.value === AVERAGE && open?.value === '(' && comma?.kind === 'comma';
  return isAverage && seconds?.kind === 'number' && operand && isBorder(tokens[at - 7]) ? fieldOf(operand) : undefined;
}

function fieldOf({ kind, value, path }: Token): string | undefined {
  if (kind !== 'name' || value !== VALUE) return undefined;
  const names = path.map((part) => (typeof part === 'number' ? undefined : part.name));
  return names.includes(undefined) ? undefined : names.join('.');
}

function numberAfter(tokens: readonly Token[], at: number, labels: SensorLabels | undefined): number | undefined {
  const first = tokens[at + 1];
  if (first?.kind === 'name' && first.value === 'label') return labelAfter(tokens, at, labels);
  const isNegative = first?.value === '-';
  const number = tokens[at + (isNegative ? 2 : 1)];
  if (number?.kind !== 'number' || !isBorder(tokens[at + (isNegative ? 3 : 2)])) return undefined;
  return isNegative ? -Number(number.value) : Number(number.value);
}

function labelAfter(tokens: readonly Token[], at: number, labels: SensorLabels | undefined): number | undefined {
  const { call, next } = readLabelCall(tokens, at + 1);
  const value = findLabel(call, labels);
  return typeof value === 'number' && isBorder(tokens[next]) ? value : undefined;
}

function isBorder(token: Token | undefined): boolean {
  if (!token || token.kind === 'end' || token.kind === 'open' || token.kind === 'close') return true;
  return token.kind === 'operator' && BORDERS.has(token.value);
}

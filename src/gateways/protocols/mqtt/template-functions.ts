import { readNumber } from '../../../language/sensor-value';
import { isLong, LongNumber, nearestNumber } from '../../../platform/exact-json';

/** `name` is `undefined` for arguments by position. */
export type Arguments = readonly { name: string | undefined; value: unknown }[];

type TemplateFunction = (value: unknown, given: Arguments) => unknown;

const MAX_DIGITS = 20;
const WHOLE = /^-?[1-9]\d*$/;

const METHODS: Readonly<Record<string, (number: number, digits: number) => number>> = {
  common: (number, digits) => Number(number.toFixed(digits)),
  floor: (number, digits) => Math.floor(number * 10 ** digits) / 10 ** digits,
  ceil: (number, digits) => Math.ceil(number * 10 ** digits) / 10 ** digits,
};

export const FUNCTIONS: ReadonlyMap<string, { names: readonly string[]; apply: TemplateFunction }> = new Map([
  ['is_defined', { names: [], apply: (value: unknown) => value }],
  ['float', { names: ['default'], apply: (value: unknown, given: Arguments) => numberIn(value) ?? given[0]?.value }],
  ['int', { names: ['default'], apply: (value: unknown, given: Arguments) => wholeIn(value) ?? given[0]?.value }],
  ['abs', { names: [], apply: (value: unknown) => applied(value, Math.abs) }],
  ['round', { names: ['precision', 'method', 'default'], apply: round }],
  ['default', { names: ['default_value', 'boolean'], apply: defaulted }],
  ['d', { names: ['default_value', 'boolean'], apply: defaulted }],
  ['lower', { names: [], apply: (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value) }],
  ['upper', { names: [], apply: (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value) }],
  ['trim', { names: [], apply: (value: unknown) => (typeof value === 'string' ? value.trim() : value) }],
]);

/** Undefined for no number, and a text that spells none. */
function numberIn(given: unknown): number | undefined {
  const value = nearestNumber(given);
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (readNumber(value) ?? undefined) : undefined;
}

/** Keeps all digits of a whole number. */
function wholeIn(value: unknown): number | LongNumber | undefined {
  const digits = typeof value === 'string' || value instanceof LongNumber ? String(value).trim() : '';
  return WHOLE.test(digits) && isLong(digits) ? new LongNumber(digits) : applied(value, Math.trunc);
}

/** Nothing, zero, an empty text and an empty list are false. */
export function isTrue(given: unknown): boolean {
  const value = nearestNumber(given);
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function applied(value: unknown, change: (number: number) => number): number | undefined {
  const number = numberIn(value);
  return number === undefined ? undefined : change(number);
}

function round(value: unknown, given: Arguments): unknown {
  const [precision = 0, method = 'common', fallback] = ['precision', 'method', 'default'].map(
    (name) => given.find((one) => one.name === name)?.value,
  );
  const rounding = typeof method === 'string' ? METHODS[method] : undefined;
  const isPossible = typeof precision === 'number' && precision >= 0 && precision <= MAX_DIGITS;
  if (!rounding || !isPossible) return undefined;
  return applied(value, (number) => rounding(number, Math.trunc(precision))) ?? fallback;
}

function defaulted(value: unknown, given: Arguments): unknown {
  const isOfFalse = isTrue(given.find(({ name }) => name === 'boolean')?.value);
  const isMissing = value === undefined || (isOfFalse && !isTrue(value));
  return isMissing ? given.find(({ name }) => name === 'default_value')?.value : value;
}

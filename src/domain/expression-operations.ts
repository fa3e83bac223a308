import { type ExpressionObject, type ExpressionValue, readNumber } from './sensor-value';

/** Why an expression has no result with these values. The message is shown to the trigger's owner. */
export class CannotEvaluate extends Error {}

/** An object on its way through the evaluator, which must not mistake a field of it for one of its own marks. */
export class Structure {
  constructor(readonly fields: ExpressionObject) {}
}

export type Operand = number | string | boolean | null | undefined | Structure | readonly Item[];

// A list may come from the data or be written in the expression, with anything in it.
type Item = ExpressionValue | Structure | undefined;

/** Prefix operators and functions of one argument; `truth` guards what `and`, `or` and `?` decide by. */
export const UNARY_OPERATIONS: Record<string, (a: Operand) => Operand> = plain({
  '-': (a: Operand) => -numeric(a),
  '+': (a: Operand) => numeric(a),
  not: (a: Operand) => !truth(a),
  truth: (a: Operand) => truth(a),
  abs: (a: Operand) => Math.abs(numeric(a)),
  ceil: (a: Operand) => Math.ceil(numeric(a)),
  floor: (a: Operand) => Math.floor(numeric(a)),
  round: (a: Operand) => Math.round(numeric(a)),
  sqrt: (a: Operand) => finite(Math.sqrt(numeric(a)), 'the square root of a negative number'),
  length: (a: Operand) => lengthOf(a),
});

export const BINARY_OPERATIONS: Record<string, (a: Operand, b: Operand) => Operand> = plain({
  '+': (a: Operand, b: Operand) => finite(numeric(a) + numeric(b)),
  '-': (a: Operand, b: Operand) => finite(numeric(a) - numeric(b)),
  '*': (a: Operand, b: Operand) => finite(numeric(a) * numeric(b)),
  '/': (a: Operand, b: Operand) => finite(numeric(a) / divisor(b)),
  '%': (a: Operand, b: Operand) => finite(numeric(a) % divisor(b)),
  '^': (a: Operand, b: Operand) => finite(numeric(a) ** numeric(b)),
  '==': (a: Operand, b: Operand) => meansTheSame(a, b),
  '!=': (a: Operand, b: Operand) => !meansTheSame(a, b),
  '<': (a: Operand, b: Operand) => numeric(a) < numeric(b),
  '>': (a: Operand, b: Operand) => numeric(a) > numeric(b),
  '<=': (a: Operand, b: Operand) => numeric(a) <= numeric(b),
  '>=': (a: Operand, b: Operand) => numeric(a) >= numeric(b),
  in: (a: Operand, b: Operand) => isIn(a, b),
  // The evaluator decides these two itself, lazily; it only has to know their names.
  and: (a: Operand, b: Operand) => truth(a) && truth(b),
  or: (a: Operand, b: Operand) => truth(a) || truth(b),
});

/** Functions that take any number of arguments, or one list. */
export const LIST_OPERATIONS: Record<string, (...items: Operand[]) => Operand> = plain({
  min: (...items: Operand[]) => Math.min(...numbersOf(items)),
  max: (...items: Operand[]) => Math.max(...numbersOf(items)),
});

/** Whether a value counts as true: `true`, or a finite number other than 0. */
export function truth(a: Operand): boolean {
  if (typeof a === 'boolean') return a;
  if (typeof a === 'number') return finite(a) !== 0;
  throw new CannotEvaluate(`${kindOf(a)} where true or false is needed`);
}

function plain<T extends object>(table: T): T {
  return Object.assign(Object.create(null), table);
}

function numeric(a: Operand): number {
  if (typeof a === 'number') return a;
  if (typeof a === 'boolean') return a ? 1 : 0;
  throw new CannotEvaluate(`${kindOf(a)} where a number is needed`);
}

function divisor(a: Operand): number {
  const number = numeric(a);
  if (number === 0) throw new CannotEvaluate('division by zero');
  return number;
}

function finite(number: number, otherwise = 'the result is not a finite number'): number {
  if (!Number.isFinite(number)) throw new CannotEvaluate(otherwise);
  return number;
}

function numbersOf(items: Operand[]): number[] {
  const only = items[0];
  const list: readonly Operand[] = items.length === 1 && isList(only) ? only.map(operandOf) : items;
  if (list.length === 0) throw new CannotEvaluate('an empty list has no smallest or largest number');
  return list.map(numeric);
}

function lengthOf(a: Operand): number {
  // Characters are code points.
  if (typeof a === 'string') return [...a].length;
  if (isList(a)) return a.length;
  throw new CannotEvaluate(`${kindOf(a)} where a text or a list is needed`);
}

function isIn(a: Operand, b: Operand): boolean {
  if (!isList(b)) throw new CannotEvaluate(`${kindOf(b)} where a list is needed`);
  return b.some((item) => meansTheSame(a, operandOf(item)));
}

function meansTheSame(a: Operand, b: Operand): boolean {
  if (a === b) return true;
  if (typeof a === 'string') return typeof b !== 'string' && textMeans(a, b);
  if (typeof b === 'string') return textMeans(b, a);
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, i) => meansTheSame(operandOf(item), operandOf(b[i])));
  }
  if (a instanceof Structure && b instanceof Structure) return sameFields(a.fields, b.fields);
  return false;
}

function textMeans(text: string, other: Operand): boolean {
  if (typeof other === 'number') return readNumber(text) === other;
  return typeof other === 'boolean' && text === String(other);
}

function sameFields(a: ExpressionObject, b: ExpressionObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && meansTheSame(operandOf(a[name]), operandOf(b[name])));
}

/** A value in the form in which the evaluator may see it. */
export function operandOf(value: Item): Operand {
  if (typeof value !== 'object' || value === null || isList(value) || value instanceof Structure) return value;
  return new Structure(value);
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

function kindOf(a: Operand): string {
  if (typeof a === 'string') return 'text';
  if (typeof a === 'number') return 'a number';
  if (typeof a === 'boolean') return 'true or false';
  if (isList(a)) return 'a list';
  return a instanceof Structure ? 'a JSON object' : 'nothing';
}

import { CannotEvaluate, countCharacters, countVisits } from './evaluation-cost';
import { equals, isIn, isList, type Operand, operandOf, Structure } from './expression-comparison';

/** Longer parts could take more than linear time to find. */
const MAX_PART = 200;

export const UNARY_OPERATORS: Record<string, (a: Operand) => Operand> = plain({
  '-': (a: Operand) => -numeric(a),
  '+': (a: Operand) => numeric(a),
  not: (a: Operand) => !truth(a),
  truth: (a: Operand) => truth(a),
  abs: (a: Operand) => Math.abs(numeric(a)),
  ceil: (a: Operand) => Math.ceil(numeric(a)),
  floor: (a: Operand) => Math.floor(numeric(a)),
  round: (a: Operand) => Math.round(numeric(a)),
  sqrt: (a: Operand) => finite(Math.sqrt(numeric(a)), 'the square root of a negative number'),
  exp: (a: Operand) => finite(Math.exp(numeric(a))),
  ln: (a: Operand) => Math.log(positive(a)),
  log10: (a: Operand) => Math.log10(positive(a)),
  length: (a: Operand) => lengthOf(a),
  lower: (a: Operand) => textOf(a).toLowerCase(),
});

export const BINARY_OPERATORS: Record<string, (a: Operand, b: Operand) => Operand> = plain({
  '+': (a: Operand, b: Operand) => finite(numeric(a) + numeric(b)),
  '-': (a: Operand, b: Operand) => finite(numeric(a) - numeric(b)),
  '*': (a: Operand, b: Operand) => finite(numeric(a) * numeric(b)),
  '/': (a: Operand, b: Operand) => finite(numeric(a) / divisor(b)),
  '%': (a: Operand, b: Operand) => finite(numeric(a) % divisor(b)),
  '^': (a: Operand, b: Operand) => finite(numeric(a) ** numeric(b)),
  '==': (a: Operand, b: Operand) => equals(a, b),
  '!=': (a: Operand, b: Operand) => !equals(a, b),
  '<': (a: Operand, b: Operand) => numeric(a) < numeric(b),
  '>': (a: Operand, b: Operand) => numeric(a) > numeric(b),
  '<=': (a: Operand, b: Operand) => numeric(a) <= numeric(b),
  '>=': (a: Operand, b: Operand) => numeric(a) >= numeric(b),
  in: (a: Operand, b: Operand) => isIn(a, listOf(b)),
  // The evaluator decides these two lazily itself; the table must only contain their names.
  and: (a: Operand, b: Operand) => truth(a) && truth(b),
  or: (a: Operand, b: Operand) => truth(a) || truth(b),
});

/** Those for any number of arguments or one list declare no JavaScript parameters. */
export const FUNCTIONS: Record<string, (...items: Operand[]) => Operand> = plain({
  contains: (text: Operand, part: Operand) => textOf(text).includes(partToFind(part)),
  min: (...items: Operand[]) => extremesOf(items).min,
  max: (...items: Operand[]) => extremesOf(items).max,
});

/** True for `true` and finite numbers other than 0. */
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

function positive(a: Operand): number {
  const number = numeric(a);
  if (number <= 0) throw new CannotEvaluate('the logarithm of a number that is not above 0');
  return number;
}

function textOf(a: Operand): string {
  if (typeof a !== 'string') throw new CannotEvaluate(`${kindOf(a)} where a string is needed`);
  countCharacters(a);
  return a;
}

function partToFind(a: Operand): string {
  const part = textOf(a);
  if (part.length > MAX_PART) throw new CannotEvaluate(`contains looks for at most ${MAX_PART} characters`);
  return part;
}

function finite(number: number, otherwise = 'the result is not a finite number'): number {
  if (!Number.isFinite(number)) throw new CannotEvaluate(otherwise);
  return number;
}

interface Extremes {
  min: number;
  max: number;
}

// Extremes of a list of data are cached for all triggers of its point.
const extremes = new WeakMap<readonly unknown[], Extremes>();

function extremesOf(items: readonly Operand[]): Extremes {
  const [only] = items;
  if (items.length !== 1 || !isList(only)) return findExtremes(items);
  const known = extremes.get(only);
  if (known) return known;
  countVisits(only.length);
  const found = findExtremes(only.map(operandOf));
  extremes.set(only, found);
  return found;
}

function findExtremes(items: readonly Operand[]): Extremes {
  if (items.length === 0) throw new CannotEvaluate('an empty list has no smallest or largest number');
  const numbers = items.map(numeric);
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}

function lengthOf(a: Operand): number {
  if (typeof a === 'string') return countCodePoints(a);
  if (isList(a)) return a.length;
  throw new CannotEvaluate(`${kindOf(a)} where a string or a list is needed`);
}

function countCodePoints(text: string): number {
  countCharacters(text);
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function listOf(a: Operand): Extract<Operand, readonly unknown[]> {
  if (isList(a)) return a;
  throw new CannotEvaluate(`${kindOf(a)} where a list is needed`);
}

function kindOf(a: Operand): string {
  if (typeof a === 'string') return 'a string';
  if (typeof a === 'number') return 'a number';
  if (typeof a === 'boolean') return 'true or false';
  if (isList(a)) return 'a list';
  return a instanceof Structure ? 'a JSON object' : 'nothing';
}

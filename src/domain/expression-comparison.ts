import { countCharacters, countVisits } from './evaluation-cost';
import { type ExpressionObject, type ExpressionValue, readNumber } from './sensor-value';

/** An object on its way through the evaluator, which must not mistake a field of it for one of its own marks. */
export class Structure {
  constructor(readonly fields: ExpressionObject) {}
}

export type Operand = number | string | boolean | null | undefined | Structure | readonly Item[];

// A list may come from the data or be written in the expression, with anything in it.
export type Item = ExpressionValue | Structure | undefined;

/** The scalars of a list by what they compare equal to, and everything else. */
interface ListIndex {
  numbers: ReadonlySet<number>;
  /** The numbers that strings of the list spell. */
  spelled: ReadonlySet<number>;
  strings: ReadonlySet<string>;
  others: readonly Operand[];
}

// Lists of data are immutable and shared by all triggers of their point: each is indexed once.
const indexes = new WeakMap<readonly Item[], ListIndex>();
// The same two lists or objects are compared once, however often an expression does.
const comparisons = new WeakMap<object, WeakMap<object, boolean>>();

/** Whether the list has an item that equals the operand. */
export function isIn(operand: Operand, list: readonly Item[]): boolean {
  const index = indexOf(list);
  if (typeof operand === 'number') return index.numbers.has(operand) || index.spelled.has(operand);
  if (typeof operand === 'boolean') return index.strings.has(String(operand)) || index.others.includes(operand);
  if (typeof operand !== 'string') return index.others.some((item) => equals(operand, item));
  countCharacters(operand);
  if (index.strings.has(operand)) return true;
  const number = readNumber(operand);
  return (number !== null && index.numbers.has(number)) || index.others.some((item) => equals(operand, item));
}

/** Whether two operands compare equal: a string equals the number or the boolean that it spells. */
export function equals(a: Operand, b: Operand): boolean {
  if (a === b) return true;
  if (typeof a === 'string') return typeof b !== 'string' && spells(a, b);
  if (typeof b === 'string') return spells(b, a);
  if (isList(a) && isList(b)) return once(a, b, sameItems);
  if (a instanceof Structure && b instanceof Structure) return once(a.fields, b.fields, sameFields);
  return false;
}

/** A value in the form in which the evaluator may see it. */
export function operandOf(value: Item): Operand {
  if (typeof value !== 'object' || value === null || isList(value) || value instanceof Structure) return value;
  return new Structure(value);
}

export function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

function indexOf(list: readonly Item[]): ListIndex {
  const known = indexes.get(list);
  if (known) return known;
  countVisits(list.length);
  const items = list.map(operandOf);
  const strings = items.filter((item) => typeof item === 'string');
  const index = {
    numbers: new Set(items.filter((item) => typeof item === 'number')),
    spelled: new Set(strings.map(readNumber).filter((number) => number !== null)),
    strings: new Set(strings),
    others: items.filter((item) => typeof item !== 'number' && typeof item !== 'string'),
  };
  indexes.set(list, index);
  return index;
}

function spells(text: string, other: Operand): boolean {
  countCharacters(text);
  if (typeof other === 'number') return readNumber(text) === other;
  return typeof other === 'boolean' && text === String(other);
}

function once<T extends object>(a: T, b: T, compare: (a: T, b: T) => boolean): boolean {
  const known = comparisons.get(a)?.get(b);
  if (known !== undefined) return known;
  const result = a === b || compare(a, b);
  const ofA = comparisons.get(a) ?? new WeakMap<object, boolean>();
  comparisons.set(a, ofA.set(b, result));
  return result;
}

function sameItems(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length !== b.length) return false;
  countVisits(a.length);
  return a.every((item, i) => equals(operandOf(item), operandOf(b[i])));
}

function sameFields(a: ExpressionObject, b: ExpressionObject): boolean {
  const names = Object.keys(a);
  countVisits(names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && equals(operandOf(a[name]), operandOf(b[name])));
}

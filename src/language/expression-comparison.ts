import { CannotEvaluate, countCharacters, countVisits } from './evaluation-cost';
import { type ExpressionObject, type ExpressionValue, readNumber, spelledBoolean } from './sensor-value';
import type { Whereabouts } from './zones/sensor-zones';

/** Keeps the evaluator from mistaking a field for an internal mark. */
export class Structure {
  constructor(readonly fields: ExpressionObject) {}
}

/** Only `in_zone` reads whereabouts, in an argument that nobody writes. */
export type Operand = number | string | boolean | null | undefined | Structure | Whereabouts | readonly Item[];

export type Item = ExpressionValue | Structure | undefined;

class ListIndex {
  readonly numbers: ReadonlySet<number>;
  readonly strings: ReadonlySet<string>;
  readonly others: readonly Operand[];
  private spelledNumbers?: ReadonlySet<number>;
  private spelledBooleans?: ReadonlySet<boolean>;

  constructor(list: readonly Item[]) {
    const items = list.map(operandOf);
    this.numbers = new Set(items.filter((item) => typeof item === 'number'));
    this.strings = new Set(items.filter((item) => typeof item === 'string'));
    this.others = items.filter((item) => typeof item !== 'number' && typeof item !== 'string');
  }

  spells(number: number): boolean {
    this.spelledNumbers ??= new Set([...this.strings].map(readNumber).filter((one) => one !== null));
    return this.spelledNumbers.has(number);
  }

  get booleans(): ReadonlySet<boolean> {
    this.spelledBooleans ??= new Set(
      [...this.others, ...[...this.strings].map(spelledBoolean)].filter((one) => typeof one === 'boolean'),
    );
    return this.spelledBooleans;
  }
}

const NO_BOOLEAN = 'a string that spells neither true nor false, compared with one of them';

// Data is immutable and shared by all triggers of its point, so each list is indexed once.
const indexes = new WeakMap<readonly Item[], ListIndex>();
const comparisons = new WeakMap<object, WeakMap<object, boolean>>();

/** Throws CannotEvaluate for a boolean and only strings that spell none, or the other way round. */
export function isIn(operand: Operand, list: readonly Item[]): boolean {
  const index = indexOf(list);
  if (typeof operand === 'number') return index.numbers.has(operand) || index.spells(operand);
  if (typeof operand === 'boolean') return hasBoolean(operand, index);
  if (typeof operand === 'string') return hasString(operand, index);
  return index.others.some((item) => same(operand, item));
}

function hasBoolean(operand: boolean, { strings, booleans }: ListIndex): boolean {
  if (strings.size > 0 && booleans.size === 0) throw new CannotEvaluate(NO_BOOLEAN);
  return booleans.has(operand);
}

function hasString(operand: string, { strings, numbers, others }: ListIndex): boolean {
  countCharacters(operand);
  if (strings.has(operand)) return true;
  const number = readNumber(operand);
  if (number !== null && numbers.has(number)) return true;
  const boolean = spelledBoolean(operand);
  if (boolean !== undefined) return others.includes(boolean);
  const isComparable = strings.size > 0 || numbers.size > 0 || !others.some((item) => typeof item === 'boolean');
  if (!isComparable) throw new CannotEvaluate(NO_BOOLEAN);
  return false;
}

/** Strings equal what they spell. Throws CannotEvaluate for a boolean and a string that spells none. */
export function equals(a: Operand, b: Operand): boolean {
  if (typeof a === 'boolean') requireBoolean(b);
  else if (typeof b === 'boolean') requireBoolean(a);
  return same(a, b);
}

function requireBoolean(operand: Operand): void {
  if (typeof operand === 'string' && spelledBoolean(operand) === undefined) throw new CannotEvaluate(NO_BOOLEAN);
}

function same(a: Operand, b: Operand): boolean {
  if (a === b) return true;
  if (typeof a === 'string') return typeof b !== 'string' && spells(a, b);
  if (typeof b === 'string') return spells(b, a);
  if (isList(a) && isList(b)) return once(a, b, sameItems);
  if (a instanceof Structure && b instanceof Structure) return once(a.fields, b.fields, sameFields);
  return false;
}

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
  const index = new ListIndex(list);
  indexes.set(list, index);
  return index;
}

function spells(text: string, other: Operand): boolean {
  countCharacters(text);
  if (typeof other === 'number') return readNumber(text) === other;
  return typeof other === 'boolean' && spelledBoolean(text) === other;
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
  return a.every((item, i) => same(operandOf(item), operandOf(b[i])));
}

function sameFields(a: ExpressionObject, b: ExpressionObject): boolean {
  const names = Object.keys(a);
  countVisits(names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && same(operandOf(a[name]), operandOf(b[name])));
}

import { LruCache, weightOfText } from '../platform/lru-cache';

/**
 * An object of a JSON value: no prototype, deeply frozen. Fields have the names that expressions use after a dot.
 * Fields that would share such a name keep their original names.
 */
export interface ExpressionObject {
  readonly [field: string]: ExpressionValue;
  /** The original names of fields that were renamed, or that share a name with these, by the renamed name. */
  readonly [OWN_NAMES]?: OwnNames;
}

type OwnNames = ReadonlyMap<string, readonly string[]>;
const OWN_NAMES = Symbol('own names');

/** A value that an expression can use. */
export type ExpressionValue = number | string | boolean | null | readonly ExpressionValue[] | ExpressionObject;

/** Maximum size of a value as text: the limit of its database column. */
export const MAX_VALUE_BYTES = 65_535;

/** Names that would mean something to JavaScript; no field may have them. */
export const FORBIDDEN_FIELDS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

// Each text of digits matches in one way only: `\d+\.?\d*` would try every split before it refuses a text.
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const ILLEGAL_IN_NAME = /[^A-Za-z0-9_]/gu;
// Reading is recursive, and the text comes from outside.
const MAX_DEPTH = 64;

type Fields = Record<string, ExpressionValue> & { [OWN_NAMES]?: OwnNames };

class TooDeep extends Error {}

// All triggers and services of a sensor read the same few values, so large ones are cached.
const LARGE = 200;
// Up to 85 bytes for each character: 22 MB. A half has room for two of the largest values: a sensor's latest and the
// one before.
const largeValues = new LruCache<string, ExpressionValue>(262_144, weightOfText);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
]);
const LONGEST_WORD = 5;

/**
 * Reads a stored text by the sensor's data type: number, boolean, JSON structure or text. A `string` sensor has only
 * text, and only a `boolean` sensor reads `on`, `off`, `yes` and `no` as booleans.
 */
export function readValue(stored: string, dataType: string): ExpressionValue {
  const type = dataType.trim().toLowerCase();
  if (type === 'string') return stored;
  if (type === 'boolean' || type === 'bool') return spelledBoolean(stored) ?? readAny(stored);
  return stored.length < LARGE ? readAny(stored) : largeValues.get(stored, () => readAny(stored));
}

/** True if all values of a sensor of this data type are text, even if they spell numbers. */
export function isTextType(dataType: string): boolean {
  return dataType.trim().toLowerCase() === 'string';
}

/** The finite number that the whole text spells, or null. */
export function readNumber(text: string): number | null {
  if (!NUMERIC.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The boolean that a text spells in any letter case: `true` or `false`, `on` or `off`, `yes` or `no`. */
export function spelledBoolean(text: string): boolean | undefined {
  return text.length > LONGEST_WORD ? undefined : BOOLEAN_WORDS.get(text.toLowerCase());
}

/**
 * A field in the form that an expression writes behind its variable: `.lux`, or in quotes with its original name,
 * `["x-axis"]`.
 */
export interface WrittenField {
  name: string;
  isQuoted: boolean;
}

/** A field of an object, or the index of an item of a list, as in `[0]`. */
export type WrittenPart = WrittenField | number;

/** A part of a value; undefined if the value has none, or several fields have this name. */
export function partOf(value: ExpressionValue | undefined, part: WrittenPart): ExpressionValue | undefined {
  if (isListValue(value)) return typeof part === 'number' ? value[part] : undefined;
  if (typeof value !== 'object' || value === null || typeof part === 'number') return undefined;
  return fieldOf(value, part);
}

/** Why a value does not have a part. */
export function whyNoPart(value: ExpressionValue, part: WrittenPart): string {
  if (typeof part === 'number' || typeof value !== 'object' || value === null) return 'does not exist';
  if (isListValue(value)) return 'does not exist: items of a list are written as in [0]';
  const isOneOfSeveral = !part.isQuoted && isAmbiguous(value, part.name);
  return isOneOfSeveral ? 'is the name of several fields: write their own names as in ["a-b"]' : 'does not exist';
}

/** `Array.isArray` alone does not narrow a readonly list. */
function isListValue(value: ExpressionValue | undefined): value is readonly ExpressionValue[] {
  return Array.isArray(value);
}

/**
 * A field by its original name or by the name that expressions use; undefined if there is none, or if several have that
 * name. In quotes only the original name counts.
 */
export function fieldOf(object: ExpressionObject, { name, isQuoted }: WrittenField): ExpressionValue | undefined {
  if (!isQuoted && isAmbiguous(object, name)) return undefined;
  if (Object.hasOwn(object, name)) return object[name];
  const legal = legalName(name);
  const [own, ...others] = object[OWN_NAMES]?.get(legal) ?? [];
  return own === name && others.length === 0 ? object[legal] : undefined;
}

/** True if expressions would use this name for several fields of the object, so that it names none of them. */
export function isAmbiguous(object: ExpressionObject, name: string): boolean {
  return (object[OWN_NAMES]?.get(name)?.length ?? 0) > 1;
}

/** The name with `_` in place of every character that a variable cannot have. */
export function legalName(name: string): string {
  return name.replace(ILLEGAL_IN_NAME, '_');
}

function readAny(text: string): ExpressionValue {
  return readStructure(text) ?? readScalar(text);
}

function readScalar(text: string): ExpressionValue {
  const number = readNumber(text);
  if (number !== null) return number;
  return BOOLEANS.get(text) ?? text;
}

function readStructure(text: string): ExpressionValue | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return cleaned(JSON.parse(text), 0);
  } catch {
    return null;
  }
}

function cleaned(value: unknown, depth: number): ExpressionValue {
  if (depth > MAX_DEPTH) throw new TooDeep();
  if (typeof value === 'string') return readScalar(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => cleaned(item, depth + 1)));
  if (typeof value === 'object' && value !== null) return cleanedObject(value, depth);
  return null;
}

function cleanedObject(source: object, depth: number): ExpressionObject {
  const fields: Fields = Object.create(null);
  let renamed: Map<string, string[]> | undefined;
  for (const [name, value] of Object.entries(source)) {
    const legal = legalName(name);
    if (legal === name) {
      put(fields, name, value, depth);
      continue;
    }
    renamed ??= new Map();
    const same = renamed.get(legal);
    if (same) same.push(name);
    else renamed.set(legal, [name]);
  }
  if (renamed) putRenamed(fields, renamed, source, depth);
  return Object.freeze(fields);
}

/**
 * Fields that would share a name keep their original names. So does a field whose original name is already that name.
 */
function putRenamed(fields: Fields, renamed: Map<string, string[]>, source: object, depth: number): void {
  fields[OWN_NAMES] = renamed;
  for (const [legal, names] of renamed) {
    const isSpelled = legal in fields;
    const isFree = names.length === 1 && !isSpelled;
    for (const name of names) put(fields, isFree ? legal : name, Reflect.get(source, name), depth);
    if (isSpelled) names.push(legal);
  }
}

function put(fields: Fields, name: string, value: unknown, depth: number): void {
  if (!FORBIDDEN_FIELDS.has(name)) fields[name] = cleaned(value, depth + 1);
}

import { LruCache, weightOfText } from '../platform/lru-cache';

/** No prototype, deeply frozen. Fields are named as after a dot, unless several would share the name. */
export interface ExpressionObject {
  readonly [field: string]: ExpressionValue;
  /** The original names of renamed fields. */
  readonly [OWN_NAMES]?: OwnNames;
}

type OwnNames = ReadonlyMap<string, readonly string[]>;
const OWN_NAMES = Symbol('own names');

export type ExpressionValue = number | string | boolean | null | readonly ExpressionValue[] | ExpressionObject;

/** The limit of the database column, in bytes. */
export const MAX_VALUE_BYTES = 65_535;

/** Names with a meaning in JavaScript; no field may have them. */
export const FORBIDDEN_FIELDS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

// Digits match in one way only: `\d+\.?\d*` would try every split before it refuses a text.
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const ILLEGAL_IN_NAME = /[^A-Za-z0-9_]/gu;
// Reading is recursive, and the text comes from outside.
const MAX_DEPTH = 64;

type Fields = Record<string, ExpressionValue> & { [OWN_NAMES]?: OwnNames };

class TooDeep extends Error {}

const LARGE = 200;
// A character takes up to 85 bytes: 22 MB. A half holds a sensor's latest two values.
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

/** A `string` sensor has only text; only a `boolean` sensor reads `on`, `off`, `yes` and `no` as booleans. */
export function readValue(stored: string, dataType: string): ExpressionValue {
  const type = dataType.trim().toLowerCase();
  if (type === 'string') return stored;
  if (type === 'boolean' || type === 'bool') return spelledBoolean(stored) ?? readAny(stored);
  return stored.length < LARGE ? readAny(stored) : largeValues.get(stored, () => readAny(stored));
}

/** True if values are text even if they spell numbers. */
export function isTextType(dataType: string): boolean {
  return dataType.trim().toLowerCase() === 'string';
}

/** The finite number that the whole text spells, or null. */
export function readNumber(text: string): number | null {
  if (!NUMERIC.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Reads true and false, on and off, yes and no, in any letter case. */
export function spelledBoolean(text: string): boolean | undefined {
  return text.length > LONGEST_WORD ? undefined : BOOLEAN_WORDS.get(text.toLowerCase());
}

/** A field as written behind a variable: `.lux`, or the original name in quotes, `["x-axis"]`. */
export interface WrittenField {
  name: string;
  isQuoted: boolean;
}

export type WrittenPart = WrittenField | number;

/** Undefined if there is no such part, or several fields have the name. */
export function partOf(value: ExpressionValue | undefined, part: WrittenPart): ExpressionValue | undefined {
  if (isListValue(value)) return typeof part === 'number' ? value[part] : undefined;
  if (typeof value !== 'object' || value === null || typeof part === 'number') return undefined;
  return fieldOf(value, part);
}

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
 * Finds a field by the original name or the name in expressions; in quotes only by the original one. Undefined if none
 * or several match.
 */
export function fieldOf(object: ExpressionObject, { name, isQuoted }: WrittenField): ExpressionValue | undefined {
  if (!isQuoted && isAmbiguous(object, name)) return undefined;
  if (Object.hasOwn(object, name)) return object[name];
  const legal = legalName(name);
  const [own, ...others] = object[OWN_NAMES]?.get(legal) ?? [];
  return own === name && others.length === 0 ? object[legal] : undefined;
}

/** True if several fields would have this name in expressions. */
export function isAmbiguous(object: ExpressionObject, name: string): boolean {
  return (object[OWN_NAMES]?.get(name)?.length ?? 0) > 1;
}

/** Puts `_` in place of characters that a variable cannot have. */
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

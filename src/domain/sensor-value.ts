import { LruCache, weightOfText } from './lru-cache';

/** An object of a JSON value: no prototype, deeply frozen, every field name legal in an expression. */
export interface ExpressionObject {
  readonly [field: string]: ExpressionValue;
}

/** What an expression can work with. */
export type ExpressionValue = number | string | boolean | null | readonly ExpressionValue[] | ExpressionObject;

/** Of a value as text: what the column of data points takes. */
export const MAX_VALUE_BYTES = 65_535;

/** Names that would mean something to JavaScript; no field may have them. */
export const FORBIDDEN_FIELDS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

// Digits can be read in one way only: `\d+\.?\d*` would try each split of them before it refuses a text.
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const ILLEGAL_IN_NAME = /[^A-Za-z0-9_]/gu;
// Reading is recursive, and the text comes from outside.
const MAX_DEPTH = 64;

class TooDeep extends Error {}

// All triggers and services of a sensor read the same few values: large ones are parsed once.
const LARGE = 200;
// Up to 85 bytes for each character: 22 MB. A half has room for two of the largest, the latest of a sensor and the one before.
const largeValues = new LruCache<string, ExpressionValue>(262_144, weightOfText);

/** Reads a stored text by the sensor's data type: number, boolean, JSON structure or text. A `string` sensor has only text. */
export function readValue(stored: string, dataType: string): ExpressionValue {
  if (dataType.trim().toLowerCase() === 'string') return stored;
  return stored.length < LARGE ? readAny(stored) : largeValues.get(stored, () => readAny(stored));
}

/** The finite number that the whole text spells, or null. */
export function readNumber(text: string): number | null {
  if (!NUMERIC.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The name with every character that no variable may have as `_`. */
export function legalName(name: string): string {
  return name.replace(ILLEGAL_IN_NAME, '_');
}

function readAny(text: string): ExpressionValue {
  return readStructure(text) ?? readScalar(text);
}

function readScalar(text: string): ExpressionValue {
  const number = readNumber(text);
  if (number !== null) return number;
  if (text === 'true') return true;
  if (text === 'false') return false;
  return text;
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
  const fields: Record<string, ExpressionValue> = Object.create(null);
  const renamed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(source)) {
    const legal = legalName(name);
    if (legal === name) put(fields, name, value, depth);
    else renamed.push([legal, value]);
  }
  // A field that is spelled so outright wins over one that only becomes so.
  for (const [name, value] of renamed) if (!(name in fields)) put(fields, name, value, depth);
  return Object.freeze(fields);
}

function put(fields: Record<string, ExpressionValue>, name: string, value: unknown, depth: number): void {
  if (!FORBIDDEN_FIELDS.has(name)) fields[name] = cleaned(value, depth + 1);
}

import { isRecord } from './is-record';
import { LruCache, weightOfText } from './lru-cache';
import { FORBIDDEN_FIELDS, legalName, MAX_VALUE_BYTES } from './sensor-value';

type Fields = ReadonlyMap<string, unknown>;

// Texts of many notifications show fields of the same value, and one text many of them: a value is parsed once, and so are its names.
// A half has room for the largest value, at up to 85 bytes for each character: 12 MB.
const parsed = new LruCache<string, unknown>(2 * (MAX_VALUE_BYTES + 100), weightOfText);
const fieldsOfRecords = new WeakMap<object, Fields>();

/**
 * A field of a stored JSON value as people read it, by the names between the dots as expressions call them. `""` where there is no such
 * field. Unlike in an expression a string stays as it is: `"007"` is not the number 7.
 */
export function fieldAsText(stored: string, path: readonly string[]): string {
  let reached = parsed.get(stored, () => parse(stored));
  for (const name of path) reached = isRecord(reached) ? fieldsOf(reached).get(legalName(name)) : undefined;
  if (reached === null || reached === undefined) return '';
  return typeof reached === 'string' ? reached : JSON.stringify(reached);
}

function fieldsOf(record: Record<string, unknown>): Fields {
  const known = fieldsOfRecords.get(record);
  if (known) return known;
  const fields = new Map<string, unknown>();
  const entries = Object.entries(record).filter(([name]) => !FORBIDDEN_FIELDS.has(legalName(name)));
  // As in an expression, a field that is spelled so outright wins over one that only becomes so.
  for (const [name, value] of entries) if (legalName(name) === name) fields.set(name, value);
  for (const [name, value] of entries) if (!fields.has(legalName(name))) fields.set(legalName(name), value);
  fieldsOfRecords.set(record, fields);
  return fields;
}

function parse(stored: string): unknown {
  if (!stored.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(stored);
  } catch {
    return null; // a plain text
  }
}

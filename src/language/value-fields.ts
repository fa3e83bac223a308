import { exactJson, parseExactJson } from '../platform/exact-json';
import { isRecord } from '../platform/is-record';
import { LruCache, weightOfText } from '../platform/lru-cache';
import { shownPart } from './expression-tokens';
import { FORBIDDEN_FIELDS, legalName, MAX_VALUE_BYTES, type WrittenField, type WrittenPart } from './sensor-value';

type Fields = ReadonlyMap<string, unknown>;

// Texts often show many fields of one value. A half has room for the largest value, at up to 85 bytes per character: 12
// MB.
const parsed = new LruCache<string, unknown>(2 * (MAX_VALUE_BYTES + 100), weightOfText);
const fieldsOfRecords = new WeakMap<object, Fields>();

/** `""` if there is none, or several fields share the name. Strings stay unchanged: `"007"` is not 7. */
export function fieldAsText(stored: string, path: readonly WrittenPart[]): string {
  let reached = parsed.get(stored, () => parse(stored));
  for (const part of path) reached = partIn(reached, part);
  if (reached === null || reached === undefined) return '';
  return typeof reached === 'string' ? reached : exactJson(reached);
}

/** Why the value has no such part; undefined if it has, even a null. */
export function whyNoField(stored: string, path: readonly WrittenPart[]): string | undefined {
  let reached = parsed.get(stored, () => parse(stored));
  for (const [index, part] of path.entries()) {
    const next = partIn(reached, part);
    if (next === undefined)
      return `${path
        .slice(0, index + 1)
        .map(shownPart)
        .join('')} ${whyNoPartOf(reached, part)}`;
    reached = next;
  }
  return undefined;
}

function whyNoPartOf(value: unknown, part: WrittenPart): string {
  const isSeveral = typeof part === 'object' && isRecord(value) && fieldsOf(value).has(legalName(part.name));
  return isSeveral ? 'is the name of several fields: write their own names as in ["a-b"]' : 'does not exist';
}

function partIn(value: unknown, part: WrittenPart): unknown {
  if (typeof part === 'number') return Array.isArray(value) ? value[part] : undefined;
  return isRecord(value) ? fieldIn(value, part) : undefined;
}

function fieldIn(record: Record<string, unknown>, { name, isQuoted }: WrittenField): unknown {
  if (isQuoted && Object.hasOwn(record, name)) return FORBIDDEN_FIELDS.has(legalName(name)) ? undefined : record[name];
  return fieldsOf(record).get(isQuoted ? name : legalName(name));
}

/** Fields by their names in expressions; a shared name names none. */
function fieldsOf(record: Record<string, unknown>): Fields {
  const known = fieldsOfRecords.get(record);
  if (known) return known;
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    const legal = legalName(name);
    if (!FORBIDDEN_FIELDS.has(legal)) fields.set(legal, fields.has(legal) ? undefined : value);
  }
  fieldsOfRecords.set(record, fields);
  return fields;
}

function parse(stored: string): unknown {
  if (!/^\s*[[{]/.test(stored)) return null;
  try {
    return parseExactJson(stored);
  } catch {
    return null; // a plain text
  }
}

import { exactJson, parseExactJson } from '../platform/exact-json';
import { isRecord } from '../platform/is-record';
import { parseRecord } from '../platform/parse-record';
import type { Words } from '../platform/words/words';
import { isTextType, readNumber } from './sensor-value';

export interface Reading {
  field: string;
  text: string;
}

export interface MeasuringSensor {
  displayName: string;
  dataType?: string;
  /** JSON text, or `""`. */
  dataStructure: string;
  /** May be `""`. */
  unit?: string;
  /** JSON text. */
  fieldUnits?: string | null;
}

const MAX_FIELDS = 20;
/** Maximum nesting of fields; deeper ones are shown as JSON. */
const MAX_LEVELS = 5;
const MAX_TEXT = 500;
const MAX_UNIT = 16;
/** `Temperature (°C)`, `float [lux]`. */
const BRACKETED = /[([]\s*([^()[\]]{1,16}?)\s*[)\]]\s*$/u;
const TYPES =
  /^(?:string|text|str|float|double|number|decimal|integer|int|long|short|bool|boolean|json|object|array|date)$/i;

/**
 * Numbers have a unit; one such as `closed/open` has the words for false and true. Units of plain values: the sensor's,
 * else `unit` of the `data_structure`, else the brackets of the display name. Units of fields: `field_units`, else `unit`
 * of the entry, else the brackets of its type.
 */
export function readingsOf(value: string, sensor: MeasuringSensor, words: Words): Reading[] {
  const structure = recordIn(sensor.dataStructure) ?? {};
  const units = readFieldUnits(sensor.fieldUnits);
  const fields = recordIn(value);
  if (!fields) return [{ field: '', text: withUnit(value, unitOf(sensor), isText(sensor) ? undefined : words) }];
  const entries = fieldsIn(fields, structure);
  const readings = entries.slice(0, MAX_FIELDS).map(({ field, value: inner, described }) => {
    const text = typeof inner === 'string' ? inner : exactJson(inner);
    const unit = (Object.hasOwn(units, field) ? units[field] : undefined) ?? unitOfField(described);
    return { field, text: withUnit(text, unit, typeof inner === 'string' ? undefined : words) };
  });
  return entries.length > MAX_FIELDS
    ? [...readings, { field: '…', text: words.t('{n} fields in all', { n: entries.length }) }]
    : readings;
}

interface DescribedField {
  field: string;
  value: unknown;
  /** Entry of the `data_structure`. */
  described: unknown;
}

function fieldsIn(
  fields: Record<string, unknown>,
  structure: unknown,
  levels = MAX_LEVELS,
  prefix = '',
): DescribedField[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const described = isRecord(structure) && Object.hasOwn(structure, name) ? structure[name] : undefined;
    const field = prefix + name;
    const isNested = isRecord(value) && levels > 1 && Object.keys(value).length > 0;
    return isNested ? fieldsIn(value, described, levels - 1, `${field}.`) : [{ field, value, described }];
  });
}

function unitOfField(described: unknown): string | undefined {
  if (isRecord(described)) return unitIn(described.unit ?? described.units);
  return typeof described === 'string' ? bracketed(described) : undefined;
}

/** See `readingsOf`. */
export function unitOf({ displayName, dataStructure, unit }: MeasuringSensor): string | undefined {
  if (unit) return unit;
  const structure = recordIn(dataStructure) ?? {};
  return unitIn(structure.unit ?? structure.units) ?? bracketed(displayName);
}

export function readFieldUnits(text: string | null | undefined): Record<string, string> {
  return text ? JSON.parse(text) : {};
}

export function readingIn(value: string, sensor: MeasuringSensor, words: Words): string {
  const readings = readingsOf(value, sensor, words);
  return readings.map(({ field, text }) => (field === '' ? text : `${field} ${text}`)).join(', ');
}

function isText({ dataType }: MeasuringSensor): boolean {
  return dataType !== undefined && isTextType(dataType);
}

/** Without `words`, a number is part of a text, and stays as it is. */
function withUnit(text: string, unit: string | undefined, words: Words | undefined): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : (words?.number(text) ?? text);
  if (unit === undefined) return cut;
  if (text === 'true' || text === 'false') return wordsIn(unit)?.[text] ?? cut;
  return readNumber(text) === null ? cut : `${cut} ${unit}`;
}

/** The words for false and true, for which a unit such as `closed/open` stands. */
function wordsIn(unit: string): { false: string; true: string } | undefined {
  const words = unit.split('/').map((word) => word.trim());
  const [forFalse, forTrue] = words;
  return forFalse && forTrue && words.length === 2 ? { false: forFalse, true: forTrue } : undefined;
}

function unitIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const unit = value.trim();
  return unit === '' || unit.length > MAX_UNIT || TYPES.test(unit) ? undefined : unit;
}

function bracketed(text: string): string | undefined {
  return unitIn(BRACKETED.exec(text)?.[1]);
}

function recordIn(text: string): Record<string, unknown> | undefined {
  return text.trimStart().startsWith('{') ? parseRecord(text, parseExactJson) : undefined;
}

import { isRecord } from './is-record';

/** A value for people: with its unit, and with its field if it is one of several. */
export interface Reading {
  /** `""` for a value that has no fields. */
  field: string;
  text: string;
}

/** The descriptions of a sensor that can contain units. */
export interface MeasuringSensor {
  displayName: string;
  /** JSON text, `""` when there is none. */
  dataStructure: string;
}

const MAX_FIELDS = 20;
const MAX_TEXT = 500;
const MAX_UNIT = 16;
/** `Temperature (°C)`, `float [lux]`. */
const BRACKETED = /[([]\s*([^()[\]]{1,16}?)\s*[)\]]\s*$/u;
const TYPES =
  /^(?:string|text|str|float|double|number|decimal|integer|int|long|short|bool|boolean|json|object|array|date)$/i;

/**
 * The values of a data point with their units. The unit of a plain value is the `unit` of the `data_structure`,
 * otherwise the text in brackets at the end of the display name. The unit of a field is the `unit` of its entry in the
 * `data_structure`, otherwise the text in brackets of its type.
 */
export function readingsOf(value: string, { displayName, dataStructure }: MeasuringSensor): Reading[] {
  const structure = recordIn(dataStructure) ?? {};
  const fields = recordIn(value);
  if (!fields) return [{ field: '', text: withUnit(value, unitOf({ displayName, dataStructure })) }];
  const entries = Object.entries(fields);
  const readings = entries.slice(0, MAX_FIELDS).map(([field, inner]) => {
    const own = Object.hasOwn(structure, field) ? structure[field] : undefined;
    const unit = isRecord(own) ? unitIn(own.unit ?? own.units) : typeof own === 'string' ? bracketed(own) : undefined;
    return { field, text: withUnit(typeof inner === 'string' ? inner : JSON.stringify(inner), unit) };
  });
  return entries.length > MAX_FIELDS
    ? [...readings, { field: '…', text: `${entries.length} fields in all` }]
    : readings;
}

/** The unit of a plain value: see `readingsOf`. */
export function unitOf({ displayName, dataStructure }: MeasuringSensor): string | undefined {
  const structure = recordIn(dataStructure) ?? {};
  return unitIn(structure.unit ?? structure.units) ?? bracketed(displayName);
}

/** The readings of a value in one line. */
export function readingIn(value: string, sensor: MeasuringSensor): string {
  const readings = readingsOf(value, sensor);
  return readings.map(({ field, text }) => (field === '' ? text : `${field} ${text}`)).join(', ');
}

function withUnit(text: string, unit: string | undefined): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return unit === undefined ? cut : `${cut} ${unit}`;
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
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // a plain text
  }
}

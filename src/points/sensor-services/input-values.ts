import { type ExpressionValue, legalName, readNumber, readValue } from '../../language/sensor-value';
import { isRecord } from '../../platform/is-record';
import type { SensorShape, ServiceInput } from './sensor-service';

const TEXTUAL = /^(string|text|varchar)/i;
export const WHOLE_VALUE = 'value';

/** A sensor without fields has `value`, of its own type. */
export function fieldsOf(sensor: SensorShape, suits: (isText: boolean) => boolean): readonly string[] {
  const types = readFieldTypes(sensor);
  const fields = types ? Object.entries(types) : [[WHOLE_VALUE, sensor.dataType] as const];
  return fields
    .filter(([, type]) => suits(typeof type === 'string' && TEXTUAL.test(type.trim())))
    .map(([name]) => name);
}

/** Null if values have no fields. */
export function readFieldTypes({ dataStructure }: Pick<SensorShape, 'dataStructure'>): Record<string, unknown> | null {
  try {
    const structure: unknown = JSON.parse(dataStructure);
    return isRecord(structure) && Object.keys(structure).length > 0 ? { ...structure } : null;
  } catch {
    return null;
  }
}

/** By list of fields: made once, not for each point. */
const usedNames = new WeakMap<readonly string[], ReadonlySet<string>>();

/** How values of an input are read. */
export type ReadInput = Pick<ServiceInput, 'dataType' | 'fields'>;

export function usedValues(input: ReadInput, stored: string): ReadonlyMap<string, ExpressionValue> {
  const value = readValue(stored, input.dataType);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[WHOLE_VALUE, value]]);
  const used = usedNamesOf(input.fields);
  return new Map(Object.entries(value).filter(([name]) => used.size === 0 || used.has(name)));
}

function usedNamesOf(fields: readonly string[]): ReadonlySet<string> {
  const known = usedNames.get(fields);
  if (known) return known;
  // Fields that share a name in expressions keep their original names.
  const used = new Set(fields.flatMap((name) => [name, legalName(name)]));
  usedNames.set(fields, used);
  return used;
}

/** Includes numbers that were sent as text. */
export function usedNumbers(input: ServiceInput, stored: string): number[] {
  return [...usedValues(input, stored).values()].map(numberIn).filter((number) => !Number.isNaN(number));
}

/** NaN if it is none and spells none. */
function numberIn(value: ExpressionValue | undefined): number {
  const number = typeof value === 'string' ? readNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN;
}

/** The number of the first used value, or NaN; a boolean is 1 or 0. Plain values need no map: many sensors send them. */
export function firstNumber(input: ReadInput, stored: string): number {
  const whole = readValue(stored, input.dataType);
  const [value] = typeof whole === 'object' && whole !== null ? usedValues(input, stored).values() : [whole];
  return typeof value === 'boolean' ? Number(value) : numberIn(value);
}

import { isRecord } from '../rules/is-record';
import { type ExpressionValue, legalName, readNumber, readValue } from '../rules/sensor-value';
import type { SensorShape, ServiceInput } from './sensor-service';

const TEXTUAL = /^(string|text|varchar)/i;
/** What the value of a sensor without fields is called where fields are listed. */
export const WHOLE_VALUE = 'value';

/** The fields of a sensor by a rule on their types; a sensor without fields has `value`, of the sensor's own type. */
export function fieldsOf(sensor: SensorShape, suits: (isText: boolean) => boolean): readonly string[] {
  const types = readFieldTypes(sensor);
  const fields = types ? Object.entries(types) : [[WHOLE_VALUE, sensor.dataType] as const];
  return fields
    .filter(([, type]) => suits(typeof type === 'string' && TEXTUAL.test(type.trim())))
    .map(([name]) => name);
}

/** The types of the fields of a sensor's values by their names; null when its values have none. */
export function readFieldTypes({ dataStructure }: Pick<SensorShape, 'dataStructure'>): Record<string, unknown> | null {
  try {
    const structure: unknown = JSON.parse(dataStructure);
    return isRecord(structure) && Object.keys(structure).length > 0 ? { ...structure } : null;
  } catch {
    return null;
  }
}

/**
 * The used fields of a value by their names: those of an object that it has, or the whole value as `value`, which is
 * what fields of a plain value mean.
 */
export function usedValues(input: ServiceInput, stored: string): ReadonlyMap<string, ExpressionValue> {
  const value = readValue(stored, input.dataType);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[WHOLE_VALUE, value]]);
  // Fields that expressions would call the same have their own names.
  const used = new Set(input.fields.flatMap((name) => [name, legalName(name)]));
  return new Map(Object.entries(value).filter(([name]) => used.size === 0 || used.has(name)));
}

/** The used numbers of a value; a number that was sent as text counts. */
export function usedNumbers(input: ServiceInput, stored: string): number[] {
  return [...usedValues(input, stored).values()].flatMap((value) => {
    const number = typeof value === 'string' ? readNumber(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? [number] : [];
  });
}

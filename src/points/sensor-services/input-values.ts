import { type ExpressionValue, legalName, readNumber, readValue } from '../../language/sensor-value';
import { isRecord } from '../../platform/is-record';
import type { SensorShape, ServiceInput } from './sensor-service';

const TEXTUAL = /^(string|text|varchar)/i;
/** The name of the value of a sensor without fields, in lists of fields. */
export const WHOLE_VALUE = 'value';

/** The fields of a sensor whose types pass a rule. A sensor without fields has `value`, of the sensor's own type. */
export function fieldsOf(sensor: SensorShape, suits: (isText: boolean) => boolean): readonly string[] {
  const types = readFieldTypes(sensor);
  const fields = types ? Object.entries(types) : [[WHOLE_VALUE, sensor.dataType] as const];
  return fields
    .filter(([, type]) => suits(typeof type === 'string' && TEXTUAL.test(type.trim())))
    .map(([name]) => name);
}

/** The types of a sensor's fields by their names; null if its values have no fields. */
export function readFieldTypes({ dataStructure }: Pick<SensorShape, 'dataStructure'>): Record<string, unknown> | null {
  try {
    const structure: unknown = JSON.parse(dataStructure);
    return isRecord(structure) && Object.keys(structure).length > 0 ? { ...structure } : null;
  } catch {
    return null;
  }
}

/** The names of the used fields of an input, by its list of fields: made once, not for each of its points. */
const usedNames = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The used fields of a value by their names: the fields of an object, or the whole value as `value`. */
export function usedValues(input: ServiceInput, stored: string): ReadonlyMap<string, ExpressionValue> {
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

/** The used numbers of a value, including numbers that were sent as text. */
export function usedNumbers(input: ServiceInput, stored: string): number[] {
  return [...usedValues(input, stored).values()].flatMap((value) => {
    const number = typeof value === 'string' ? readNumber(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? [number] : [];
  });
}

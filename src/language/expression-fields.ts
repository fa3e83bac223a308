import { isRecord } from '../platform/is-record';
import { tokensOf } from './expression-tokens';
import { legalName } from './sensor-value';

const VALUES: ReadonlySet<string> = new Set(['sensor_data_value', 'last_sensor_data_value']);

/** Returns `lux` for `sensor_data_value.lux`. */
export function fieldsRead(expression: string): Set<string> {
  const fields = tokensOf(expression).flatMap(({ kind, value, path }) =>
    kind === 'name' && VALUES.has(value)
      ? path.slice(0, 1).flatMap((part) => (typeof part === 'number' ? [] : [legalName(part.name)]))
      : [],
  );
  return new Set(fields);
}

/** Fields by their names in expressions, from `data_structure` and the latest value. Null if none is known. */
export function fieldsOf({
  dataStructure,
  value,
}: {
  dataStructure: string;
  value: string | null;
}): Set<string> | null {
  const described = namesIn(dataStructure);
  if (value === null && described.length === 0) return null;
  return new Set([...described, ...namesIn(value ?? '')].map(legalName));
}

function namesIn(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? Object.keys(value) : [];
  } catch {
    return []; // a plain text
  }
}

import type { RowDataPacket } from 'mysql2/promise';
import { differencesOf, fullName, type NamedSensor, outsideNameOf } from '../../access/equal-names';
import { readFieldUnits, unitOf } from '../../language/measured-value';
import type { Reader } from '../../storage/read-pool';
import { EXTREMES } from './aggregates';

export interface ValueColumns {
  hasPlain: boolean;
  fields: readonly string[];
  textSensors: ReadonlySet<number>;
}

/** The columns of one sensor. */
export interface NamedColumns {
  sensorId: number;
  values: ValueColumns;
  headings: readonly string[];
}

export interface ExportedSensor {
  id: number;
  /** Distinct among the exported sensors. */
  name: string;
  unit: string;
  fieldUnits: Readonly<Record<string, string>>;
}

/** In the order of the ids. */
export async function readExportedSensors(reads: Reader, sensorIds: readonly number[]): Promise<ExportedSensor[]> {
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT s.id, s.name, s.display_name AS displayName, s.unit, s.field_units AS fieldUnits,
       s.data_structure AS dataStructure, x.name AS outside
     FROM sensors s LEFT JOIN series x ON x.sensor_id = s.id WHERE s.id IN (?) ORDER BY s.id, x.id`,
    [sensorIds],
  );
  const named = new Map<number, NamedSensor & { row: RowDataPacket }>();
  for (const row of rows) {
    const id = Number(row.id);
    const before = named.get(id)?.outside ?? [];
    const outside = row.outside === null ? before : [...before, String(row.outside)];
    named.set(id, { id, name: row.displayName || row.name, outside, row });
  }
  const differences = differencesOf([...named.values()], outsideNameOf);
  return sensorIds.flatMap((id) => {
    const found = named.get(id);
    if (!found) return [];
    const { displayName, dataStructure, unit, fieldUnits } = found.row;
    return {
      ...{ id, name: fullName(found.name, differences.get(id)) },
      ...{ unit: unitOf({ displayName, dataStructure, unit }) ?? '', fieldUnits: readFieldUnits(fieldUnits) },
    };
  });
}

/** `Freezer 3 (°C)`; for a field `Hall humidity (%)`; for an extreme of intervals `Freezer 3 min (°C)`. */
export function namedColumns(
  { id, name, unit, fieldUnits }: ExportedSensor,
  values: ValueColumns,
  { withExtremes }: { withExtremes: boolean },
): NamedColumns {
  const fields = [...(values.hasPlain ? [''] : []), ...values.fields];
  const headings = ['', ...(withExtremes ? EXTREMES : [])].flatMap((extreme) =>
    fields.map((field) => {
      const own = Object.hasOwn(fieldUnits, field) ? fieldUnits[field] : undefined;
      const text = [name, field, extreme].filter(Boolean).join(' ');
      return withUnit(text, extreme === 'count' ? '' : field === '' ? unit : (own ?? ''));
    }),
  );
  return { sensorId: id, values, headings };
}

/** Not again if the name has it, as `Cellar (°C)`. */
export function withUnit(name: string, unit: string): string {
  return unit === '' || name.endsWith(`(${unit})`) ? name : `${name} (${unit})`;
}

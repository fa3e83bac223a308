import type { Pool, RowDataPacket } from 'mysql2/promise';
import { fieldsOf, fieldsRead } from '../../language/expression-fields';
import { newestValueSql } from '../../points';

/** A field that these sensors lack is worth a warning, even if others have it. */
const MAX_SENSORS = 20;

interface ConnectedRow extends RowDataPacket {
  dataStructure: string;
  value: string | null;
}

/**
 * Warns of a field that no sensor has, by structures and latest values. Undefined if all is well, or nothing is known
 * about a sensor.
 */
export async function findFieldWarning(
  pool: Pool,
  { id, expression }: { id: number; expression: string | null },
): Promise<string | undefined> {
  const read = expression === null ? [] : [...fieldsRead(expression)];
  if (read.length === 0) return undefined;
  const [rows] = await pool.query<ConnectedRow[]>(
    `SELECT s.data_structure AS dataStructure, COALESCE(${newestValueSql('s.id')}, st.last_data_value) AS value
     FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id WHERE st.trigger_id = ? ORDER BY st.id LIMIT ?`,
    [id, MAX_SENSORS],
  );
  const known = rows.map(fieldsOf);
  if (known.length === 0 || known.includes(null)) return undefined;
  const missing = read.find((field) => !known.some((fields) => fields?.has(field)));
  if (missing === undefined) return undefined;
  return `no sensor that the trigger is connected to has the field "${missing}", so its expression cannot be evaluated there`;
}

import type { PoolConnection } from 'mysql2/promise';
import { issueSlices } from '../../storage/slices';

/** `[sensor, date in ms, value, delay in seconds]`. */
type PointRow = readonly [sensorId: number, dateMs: number, value: string, delayS: number];
/** `belowNs`: nanoseconds from the date to the exact time, or null. */
type AddedRow = readonly [...PointRow, belowNs: number | null];

export interface PointRows {
  readonly replacing: PointRow[];
  readonly added: AddedRow[];
}

const ADD = 'INSERT INTO data_points (sensor_id, date_ms, value, delay_s, below_ns) VALUES ?';
const REPLACE = `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?
  ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`;

/**
 * Pipelines inserts, sorted by key so that concurrent commits lock in one order. The last of equal keys wins. A taken
 * date that must be free is an error (`isDuplicateKey`).
 */
export async function insertPoints(connection: PoolConnection, { replacing, added }: PointRows): Promise<void> {
  const insert = (sql: string, rows: (PointRow | AddedRow)[]) => {
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return issueSlices(rows, (slice) => connection.query(sql, [slice]));
  };
  await Promise.all([insert(REPLACE, replacing), insert(ADD, added)]);
}

import type { PoolConnection } from 'mysql2/promise';
import { issueSlices } from '../../storage/slices';

/** `[sensor, date in ms, value, delay in seconds]`. */
type PointRow = readonly [sensorId: number, dateMs: number, value: string, delayS: number];
/** With the nanoseconds from the date to the exact time; null for none. */
type AddedRow = readonly [...PointRow, belowNs: number | null];

/** Points to store: those that replace a point of the same date, and those whose date must be free. */
export interface PointRows {
  readonly replacing: PointRow[];
  readonly added: AddedRow[];
}

const ADD = 'INSERT INTO data_points (sensor_id, date_ms, value, delay_s, below_ns) VALUES ?';
const REPLACE = `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?
  ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`;

/**
 * Pipelined multi-row inserts, sorted by key so that concurrent commits lock in one order. Among points that may
 * replace another, the last of equal keys wins. A date that must be free and is taken is an error (`isDuplicateKey`).
 */
export async function insertPoints(connection: PoolConnection, { replacing, added }: PointRows): Promise<void> {
  const insert = (sql: string, rows: (PointRow | AddedRow)[]) => {
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return issueSlices(rows, (slice) => connection.query(sql, [slice]));
  };
  await Promise.all([insert(REPLACE, replacing), insert(ADD, added)]);
}

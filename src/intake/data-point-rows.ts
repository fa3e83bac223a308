import type { PoolConnection } from 'mysql2/promise';
import { delaySeconds } from '../rules/data-point';
import { fitInOneStatement, issueSlices } from '../storage/slices';
import type { DatedBatch } from './server-dates';
import type { Targets } from './upload-targets';

/** A point to store; whether it replaces one of the same date. */
export interface PointRow {
  readonly row: readonly [sensorId: number, dateMs: number, value: string, delayS: number];
  readonly replaces: boolean;
}

/** The points of those sensors whose points are stored. */
export function toRows(batches: readonly DatedBatch[], targets: Targets): PointRow[] {
  return batches.flatMap((batch) => (targets.get(batch.sensorId)?.stores ? rowsOf(batch) : []));
}

export function rowsOf({ sensorId, points, receivedMs }: DatedBatch): PointRow[] {
  return points.map(({ dateMs, value, isDatedHere }) => ({
    row: [sensorId, dateMs, value, delaySeconds(dateMs, receivedMs)],
    replaces: !isDatedHere,
  }));
}

/**
 * Whether these points, of these sensors, are written with one statement and nothing else: nobody listens to them. Then they need no
 * transaction around it, which takes a twentieth of the processor time of single points.
 */
export function isOneStatement(requests: readonly { size: number; bytes: number }[], targets: Targets): boolean {
  for (const { evaluated, streamed } of targets.values()) if (evaluated || streamed) return false;
  let [points, characters] = [0, 0];
  for (const { size, bytes } of requests) {
    points += size;
    characters += bytes; // more than it has
  }
  return fitInOneStatement(points, characters);
}

const INSERT = 'INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?';
const REPLACE = `${INSERT} ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`;

/**
 * Multi-row inserts, sorted by key so that concurrent commits lock in one order, issued at once. Of points that may replace another the last of
 * equal keys wins; a date of the server that is taken is an error (`isDuplicateKey`).
 */
export async function insertPoints(connection: PoolConnection, points: readonly PointRow[]): Promise<void> {
  const insert = (sql: string, some: readonly PointRow[]) => {
    const rows = some.map(({ row }) => row).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return issueSlices(rows, (slice) => connection.query(sql, [slice]));
  };
  await Promise.all([
    insert(
      REPLACE,
      points.filter(({ replaces }) => replaces),
    ),
    insert(
      INSERT,
      points.filter(({ replaces }) => !replaces),
    ),
  ]);
}

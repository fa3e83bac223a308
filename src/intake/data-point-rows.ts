import type { PoolConnection } from 'mysql2/promise';
import { delaySeconds } from '../rules/data-point';
import { fitInOneStatement, issueSlices } from '../storage/slices';
import type { DatedBatch } from './server-dates';
import type { Targets } from './upload-targets';

/** A point to store. `replaces`: it overwrites a point of the same date. */
export interface PointRow {
  readonly row: readonly [sensorId: number, dateMs: number, value: string, delayS: number];
  readonly replaces: boolean;
}

/** The points of the sensors that store their points. */
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
 * True if one statement writes all of these points, because their sensors have no subscribers. Then they need no
 * transaction, which would take a twentieth of the processor time of single points.
 */
export function isOneStatement(requests: readonly { size: number; weight: number }[], targets: Targets): boolean {
  for (const { evaluated, streamed } of targets.values()) if (evaluated || streamed) return false;
  let [points, characters] = [0, 0];
  for (const { size, weight } of requests) {
    points += size;
    characters += weight; // an upper bound
  }
  return fitInOneStatement(points, characters);
}

const INSERT = 'INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?';
const REPLACE = `${INSERT} ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`;

/**
 * Pipelined multi-row inserts, sorted by key so that concurrent commits lock in one order. Among points that may
 * replace another, the last of equal keys wins. A server-assigned date that is taken is an error (`isDuplicateKey`).
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

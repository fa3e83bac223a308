import type { PoolConnection } from 'mysql2/promise';
import { fitInOneStatement, issueSlices } from '../database/slices';
import { delaySeconds } from '../domain/data-point';
import type { StoredBatch } from './listened-points';
import type { Targets } from './upload-targets';

/** A point to store. */
export type PointRow = readonly [sensorId: number, dateMs: number, value: string, receivedMs: number];

/** The points of those sensors whose points are stored. */
export function toRows(batches: readonly StoredBatch[], targets: Targets): PointRow[] {
  const rows: PointRow[] = [];
  for (const { sensorId, points, receivedMs } of batches) {
    if (!targets.get(sensorId)?.stores) continue;
    for (const { dateMs, value } of points) rows.push([sensorId, dateMs, value, receivedMs]);
  }
  return rows;
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

/** Multi-row upserts, sorted by key so that concurrent commits lock in one order, issued at once. The last of equal keys wins. */
export async function insertPoints(connection: PoolConnection, points: readonly PointRow[]): Promise<void> {
  const rows = [...points]
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(([sensorId, dateMs, value, receivedMs]) => [sensorId, dateMs, value, delaySeconds(dateMs, receivedMs)]);
  await issueSlices(rows, (slice) =>
    connection.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?
       ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`,
      [slice],
    ),
  );
}

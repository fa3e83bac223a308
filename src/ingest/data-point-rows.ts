import type { PoolConnection } from 'mysql2/promise';
import { issueSlices } from '../database/slices';
import { delaySeconds } from '../domain/data-point';

/** A point to store. */
export type PointRow = readonly [sensorId: number, dateMs: number, value: string, receivedMs: number];

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

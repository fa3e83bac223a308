import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { issueSlices } from '../database/slices';
import { delaySeconds } from '../domain/data-point';

/** A sensor that gets points. */
export interface Target {
  ownerId: number;
  /** Whether its points are stored. */
  stores: boolean;
}

/** Locks sensors against removal, and until the end of the transaction against new listeners: those that exist, by their id. */
export async function lockTargets(
  connection: PoolConnection,
  sensorIds: readonly number[],
): Promise<ReadonlyMap<number, Target>> {
  const [sensors] = await connection.query<RowDataPacket[]>(
    `SELECT id, owner_id AS ownerId, use_data_storage AS stores FROM sensors
     WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE`,
    [sensorIds],
  );
  return new Map(
    sensors.map(({ id, ownerId, stores }) => [Number(id), { ownerId: Number(ownerId), stores: Boolean(stores) }]),
  );
}

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

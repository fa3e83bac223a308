import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { slices } from '../database/slices';
import { delaySeconds } from '../domain/data-point';

/** A sensor that gets points, and whether something waits for them. */
export interface Listener {
  sensorId: number;
  ownerId: number;
  /** Whether its points are stored. */
  stores: boolean;
  /** Whether an active trigger or a service gets them. */
  listens: boolean;
}

/**
 * Locks the sensors against removal, then finds which have a listener: an active trigger or a service. In this
 * order, and each statement with a view of its own: what was connected while this waited for the lock is seen, so
 * a trigger connected before the upload always sees its points.
 */
export async function readListeners(
  connection: PoolConnection,
  sensorIds: ReadonlySet<number>,
): Promise<Map<number, Listener>> {
  const ids = [...sensorIds];
  const [sensors] = await connection.query<RowDataPacket[]>(
    `SELECT id, owner_id AS ownerId, use_data_storage AS stores FROM sensors
     WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE`,
    [ids],
  );
  const [listening] = await connection.query<RowDataPacket[]>(
    `SELECT sensor_id AS id FROM sensor_triggers WHERE sensor_id IN (?) AND active
     UNION SELECT sensor_id FROM service_inputs WHERE sensor_id IN (?)`,
    [ids, ids],
  );
  const listeners = new Set(listening.map((row) => Number(row.id)));
  return new Map(
    sensors.map((row) => {
      const sensorId = Number(row.id);
      const listener = { sensorId, ownerId: Number(row.ownerId), stores: Boolean(row.stores) };
      return [sensorId, { ...listener, listens: listeners.has(sensorId) }];
    }),
  );
}

/** A point to store. */
export type PointRow = readonly [sensorId: number, dateMs: number, value: string, receivedMs: number];

/** Multi-row upserts, sorted by key so that concurrent commits lock in one order. The last of equal keys wins. */
export async function insertPoints(connection: PoolConnection, points: readonly PointRow[]): Promise<void> {
  const rows = [...points]
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(([sensorId, dateMs, value, receivedMs]) => [sensorId, dateMs, value, delaySeconds(dateMs, receivedMs)]);
  for (const slice of slices(rows)) {
    await connection.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?
       ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`,
      [slice],
    );
  }
}

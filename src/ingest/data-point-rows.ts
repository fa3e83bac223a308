import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { slices } from '../database/slices';

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

/** Multi-row upserts, sorted by key so that concurrent commits lock in one order. The last of equal keys wins. */
export async function insertPoints(connection: PoolConnection, rows: unknown[][]): Promise<void> {
  const sorted = [...rows].sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]));
  for (const slice of slices(sorted)) {
    await connection.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, received_ms) VALUES ?
       ON DUPLICATE KEY UPDATE value = VALUES(value), received_ms = VALUES(received_ms)`,
      [slice],
    );
  }
}

import type { Pool, RowDataPacket } from 'mysql2/promise';

/** The newest 100 points of each sensor are always rows, so reads of the latest values and arrivals need no chunks. */
export const NEWEST_AS_ROWS = 100;

/** The values of the latest points of these sensors, at most 1,000; sensors without points are left out. */
export async function newestValues(pool: Pool, sensorIds: readonly number[]): Promise<Map<number, string>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT s.id, (SELECT p.value FROM data_points p WHERE p.sensor_id = s.id ORDER BY p.date_ms DESC LIMIT 1) AS value
     FROM sensors s WHERE s.id IN (?)`,
    [sensorIds],
  );
  return new Map(rows.flatMap(({ id, value }) => (value === null ? [] : [[Number(id), String(value)] as const])));
}

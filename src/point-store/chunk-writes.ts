import type { PoolConnection } from 'mysql2/promise';
import type { ChunkPoint } from '../rules/chunk/chunk';
import { partsOf } from '../rules/parts-of';
import { issueSlices } from '../storage/slices';
import { type ChunkHead, chunkValues } from './chunk-rows';

/** Number of keys per statement. Some servers execute lists of 1,000 or more in another way. */
const KEYS_PER_STATEMENT = 500;

export async function deleteChunk(connection: PoolConnection, { sensorId, lastMs }: ChunkHead): Promise<void> {
  await connection.query('DELETE FROM data_chunks WHERE sensor_id = ? AND last_ms = ?', [sensorId, lastMs]);
}

/** Stores points, in order of date, as a chunk. */
export async function insertChunk(
  connection: PoolConnection,
  sensorId: number,
  points: readonly ChunkPoint[],
): Promise<void> {
  await connection.query('INSERT INTO data_chunks (sensor_id, first_ms, last_ms, points, codec, body) VALUES (?)', [
    chunkValues(sensorId, points),
  ]);
}

/** Stores points as rows, except where there is a row of the same date. */
export async function insertRows(
  connection: PoolConnection,
  sensorId: number,
  points: readonly ChunkPoint[],
): Promise<void> {
  const rows = points.map(({ dateMs, value, delayS }) => [sensorId, dateMs, value, delayS] as const);
  await issueSlices(rows, (slice) =>
    connection.query('INSERT IGNORE INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [slice]),
  );
}

/** Deletes the rows of these dates. */
export async function deleteRows(
  connection: PoolConnection,
  sensorId: number,
  points: readonly ChunkPoint[],
): Promise<void> {
  for (const part of partsOf(points, KEYS_PER_STATEMENT)) {
    await connection.query('DELETE FROM data_points WHERE sensor_id = ? AND date_ms IN (?)', [
      sensorId,
      part.map(({ dateMs }) => dateMs),
    ]);
  }
}

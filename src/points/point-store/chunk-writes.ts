import type { PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { issueSlices } from '../../storage/slices';
import type { ChunkPoint } from './chunk/chunk';
import {
  CHUNK_COLUMNS,
  CHUNK_FIELDS,
  type ChunkHead,
  type ChunkRow,
  chunkValues,
  type NewChunk,
  toChunk,
} from './chunk-rows';

export async function deleteChunk(connection: PoolConnection, { sensorId, lastMs }: ChunkHead): Promise<void> {
  await connection.query('DELETE FROM data_chunks WHERE sensor_id = ? AND last_ms = ?', [sensorId, lastMs]);
}

export async function lockLastChunk(
  connection: PoolConnection,
  sensorId: number,
  beforeMs: number,
): Promise<ChunkRow | undefined> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND last_ms < ?
     ORDER BY last_ms DESC LIMIT 1 FOR UPDATE`,
    [sensorId, beforeMs],
  );
  return rows.map(toChunk)[0];
}

export async function insertChunk(connection: PoolConnection, sensorId: number, chunk: NewChunk): Promise<void> {
  await connection.query(`INSERT INTO data_chunks (${CHUNK_FIELDS}) VALUES (?)`, [chunkValues(sensorId, chunk)]);
}

/** A row of the same date stays. */
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

/**
 * Deletes consecutive rows that the transaction has locked. Throws LatePoint if a point came between them: repeat the
 * transaction.
 */
export async function deleteLockedRows(
  connection: PoolConnection,
  sensorId: number,
  points: readonly ChunkPoint[],
): Promise<void> {
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    'DELETE FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?',
    [sensorId, points[0]?.dateMs, points.at(-1)?.dateMs],
  );
  if (affectedRows !== points.length) throw new LatePoint();
}

/** A point came between rows while they were packed. */
export class LatePoint extends Error {}

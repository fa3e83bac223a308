import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import { inPoolTransaction } from '../../storage/transaction';
import type { ChunkPoint } from './chunk/chunk';
import { CHUNK_COLUMNS, type ChunkRow, encodeChunk, openChunk, reachesInto, toChunk } from './chunk-rows';
import { deleteChunk, insertChunk, insertRows, lockLastChunk } from './chunk-writes';
import { NEWEST_AS_ROWS } from './newest-rows';

const CHUNKS_PER_STEP = 16;
const DAY_MS = 86_400_000;
/** Deleting a chunk takes about as long as deleting so many rows. */
const ROWS_PER_CHUNK = 10;

/** The number of removed points, and whether none is left in the range. */
export interface RemovedPoints {
  deleted: number;
  isDone: boolean;
}

/**
 * Removes the oldest points of a range, in the transaction of the connection: at most `most` rows, and points of at most
 * 16 chunks. A chunk that lies within the range is deleted unopened unless rows replace points.
 */
export async function removePoints(
  connection: PoolConnection,
  sensorId: number,
  range: TimeRange,
  most: number,
): Promise<RemovedPoints> {
  // Rows first: points are moved from rows into chunks.
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT date_ms AS dateMs FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?
     ORDER BY date_ms LIMIT ? FOR UPDATE`,
    [sensorId, range.startMs, range.endMs, most],
  );
  const dates = new Set(rows.map(({ dateMs }) => Number(dateMs)));
  const part = { startMs: range.startMs, endMs: rows.length < most ? range.endMs : Math.max(...dates) };
  const [found] = await connection.query<RowDataPacket[]>(
    `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND ${reachesInto(part)}
     ORDER BY last_ms LIMIT ? FOR UPDATE`,
    [sensorId, CHUNKS_PER_STEP],
  );
  const chunks = found.map(toChunk);
  const last = chunks.at(-1);
  if (last && chunks.length === CHUNKS_PER_STEP) part.endMs = Math.min(part.endMs, last.lastMs);
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    'DELETE FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?',
    [sensorId, part.startMs, part.endMs],
  );
  let deleted = affectedRows;
  for (const chunk of chunks) deleted += await removeFromChunk(connection, chunk, part, dates);
  if (deleted > 0) await keepNewestAsRows(connection, sensorId);
  return { deleted, isDone: part.endMs === range.endMs };
}

/**
 * Removes the oldest points of a sensor before a date, about `most` at most. Of a chunk that the date divides they go
 * when the first of them is a day older, so that a chunk is not written again with every run. So do rows after its first
 * point: they have replaced points in it, or are the newest of the sensor.
 */
export async function removeOldPoints(
  pool: Pool,
  sensorId: number,
  beforeMs: number,
  most: number,
): Promise<RemovedPoints> {
  const [[oldest]] = await pool.query<RowDataPacket[]>(
    `SELECT (SELECT MIN(date_ms) FROM data_points WHERE sensor_id = ?) AS rowMs,
       (SELECT first_ms FROM data_chunks WHERE sensor_id = ? ORDER BY last_ms LIMIT 1) AS chunkMs`,
    [sensorId, sensorId],
  );
  const isOld = (column: number | null, latestMs: number) => column !== null && Number(column) < latestMs;
  if (isOld(oldest?.chunkMs, beforeMs - DAY_MS)) {
    return inPoolTransaction(pool, (connection) =>
      removePoints(connection, sensorId, { startMs: 0, endMs: beforeMs - 1 }, most),
    );
  }
  const rowsBeforeMs = Math.min(beforeMs, Number(oldest?.chunkMs ?? beforeMs));
  if (!isOld(oldest?.rowMs, rowsBeforeMs)) return { deleted: 0, isDone: true };
  const [{ affectedRows }] = await pool.query<ResultSetHeader>(
    'DELETE FROM data_points WHERE sensor_id = ? AND date_ms < ? LIMIT ?',
    [sensorId, rowsBeforeMs, most],
  );
  return { deleted: affectedRows, isDone: affectedRows < most };
}

/** Removes all points of a deleted sensor and the record of their dates, about `most` rows or chunks at most. */
export async function removeAllPoints(pool: Pool, sensorId: number, most: number): Promise<RemovedPoints> {
  const remove = async (table: string, limit: number) => {
    const sql = `DELETE FROM ${table} WHERE sensor_id = ? LIMIT ?`;
    const [{ affectedRows }] = await pool.query<ResultSetHeader>(sql, [sensorId, limit]);
    return affectedRows;
  };
  const deleted = (await remove('data_points', most)) || (await remove('data_chunks', most / ROWS_PER_CHUNK));
  if (deleted === 0) await remove('server_dates', 1);
  return { deleted, isDone: deleted === 0 };
}

/** Deletes what an upload has just stored of sensors that were deleted meanwhile, in its transaction. */
export async function deleteOrphans(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
  if (sensorIds.length === 0) return;
  const tables = ['data_points', 'data_chunks', 'server_dates'];
  await Promise.all(
    tables.map((table) => connection.query(`DELETE FROM ${table} WHERE sensor_id IN (?)`, [sensorIds])),
  );
}

/** Removes the points of a range from a chunk. Returns their number, without those that rows had replaced. */
async function removeFromChunk(
  connection: PoolConnection,
  chunk: ChunkRow,
  { startMs, endMs }: TimeRange,
  replaced: ReadonlySet<number>,
): Promise<number> {
  const isInside = ({ dateMs }: ChunkPoint) => dateMs >= startMs && dateMs <= endMs;
  const isWhole = chunk.firstMs >= startMs && chunk.lastMs <= endMs;
  const points = isWhole && replaced.size === 0 ? undefined : openChunk(chunk).all();
  const removed = points?.filter(isInside);
  if (removed?.length === 0) return 0;
  await deleteChunk(connection, chunk);
  const kept = points?.filter((point) => !isInside(point)) ?? [];
  if (kept.length > 0) await insertChunk(connection, chunk.sensorId, encodeChunk(kept));
  return removed ? removed.filter(({ dateMs }) => !replaced.has(dateMs)).length : chunk.count;
}

/**
 * Writes the newest points of the last chunks as rows again where too few newer rows are left. They stay in the chunks.
 * Rows and chunks are locked in this order, so that nothing that is being packed counts as a row, or is read too early.
 */
async function keepNewestAsRows(connection: PoolConnection, sensorId: number): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT date_ms AS dateMs FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ? FOR UPDATE',
    [sensorId, NEWEST_AS_ROWS],
  );
  let newest = await lockLastChunk(connection, sensorId, Number.MAX_SAFE_INTEGER);
  const newer = rows.filter(({ dateMs }) => newest && Number(dateMs) > newest.lastMs);
  for (let missing = NEWEST_AS_ROWS - newer.length; newest && missing > 0; ) {
    const points = openChunk(newest).all().slice(-missing);
    await insertRows(connection, sensorId, points);
    missing -= points.length;
    newest = await lockLastChunk(connection, sensorId, newest.firstMs);
  }
}

import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../../storage/transaction';
import { type ChunkRow, openChunk } from './chunk-rows';
import { deleteChunk, insertRows, lockLastChunk } from './chunk-writes';

/**
 * Writes the points of the chunks of a sensor as rows as well, the newest first. A row that is there stays, because it
 * replaced the point.
 */
export async function writeChunksAsRows(pool: Pool, sensorId: number): Promise<void> {
  for (let beforeMs = Number.MAX_SAFE_INTEGER; ; ) {
    const chunk = await inPoolTransaction(pool, (connection) => writeLastBefore(connection, sensorId, beforeMs));
    if (!chunk) return;
    beforeMs = chunk.lastMs;
  }
}

/** Deletes the chunks of a sensor whose points are rows. Returns their number. */
export async function deleteCopiedChunks(pool: Pool, sensorId: number): Promise<number> {
  for (let deleted = 0; ; deleted += 1) {
    const chunk = await inPoolTransaction(pool, async (connection) => {
      // Again, for the case that the chunk has changed since.
      const last = await writeLastBefore(connection, sensorId, Number.MAX_SAFE_INTEGER);
      if (last) await deleteChunk(connection, last);
      return last;
    });
    if (!chunk) return deleted;
  }
}

async function writeLastBefore(
  connection: PoolConnection,
  sensorId: number,
  beforeMs: number,
): Promise<ChunkRow | undefined> {
  const chunk = await lockLastChunk(connection, sensorId, beforeMs);
  if (chunk) await insertRows(connection, sensorId, openChunk(chunk).all());
  return chunk;
}

/** All sensors with chunks, by id. */
export async function findSensorsWithChunks(pool: Pool): Promise<number[]> {
  const sql = 'SELECT DISTINCT sensor_id AS id FROM data_chunks ORDER BY sensor_id';
  const [rows] = await pool.query<RowDataPacket[]>(sql);
  return rows.map(({ id }) => Number(id));
}

import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../../storage/transaction';
import { type ChunkRow, openChunk } from './chunk-rows';
import { deleteChunk, insertRows, lockLastChunk } from './chunk-writes';

/** Copies points of chunks to rows, the newest first. A row that exists stays: it replaced the point. */
export async function writeChunksAsRows(pool: Pool, sensorId: number): Promise<void> {
  for (let beforeMs = Number.MAX_SAFE_INTEGER; ; ) {
    const chunk = await inPoolTransaction(pool, (connection) => writeLastBefore(connection, sensorId, beforeMs));
    if (!chunk) return;
    beforeMs = chunk.lastMs;
  }
}

export async function deleteCopiedChunks(pool: Pool, sensorId: number): Promise<number> {
  for (let deleted = 0; ; deleted += 1) {
    const chunk = await inPoolTransaction(pool, async (connection) => {
      // The chunk may have changed since.
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

export async function findSensorsWithChunks(pool: Pool): Promise<number[]> {
  const sql = 'SELECT DISTINCT sensor_id AS id FROM data_chunks ORDER BY sensor_id';
  const [rows] = await pool.query<RowDataPacket[]>(sql);
  return rows.map(({ id }) => Number(id));
}

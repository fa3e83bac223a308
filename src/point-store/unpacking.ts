import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../storage/transaction';
import { CHUNK_COLUMNS, type ChunkRow, openChunk, toChunk } from './chunk-rows';
import { deleteChunk, insertRows } from './chunk-writes';

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
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND last_ms < ?
     ORDER BY last_ms DESC LIMIT 1 FOR UPDATE`,
    [sensorId, beforeMs],
  );
  const [chunk] = rows.map(toChunk);
  if (chunk) await insertRows(connection, sensorId, openChunk(chunk).all());
  return chunk;
}

import { isDeepStrictEqual } from 'node:util';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import {
  CHUNK_COLUMNS,
  type ChunkHead,
  type ChunkRow,
  LONGEST_CHUNK_MS,
  openChunk,
  summaryOf,
  toChunk,
} from './chunk-rows';

const CHUNKS_AT_ONCE = 100;

/** Finds chunks that cannot be read, or whose points disagree with their heads. */
export async function* findDamagedChunks(connection: PoolConnection): AsyncGenerator<ChunkHead> {
  for (let after: Pick<ChunkHead, 'sensorId' | 'lastMs'> = { sensorId: 0, lastMs: 0 }; ; ) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id > ? OR (sensor_id = ? AND last_ms > ?)
       ORDER BY sensor_id, last_ms LIMIT ?`,
      [after.sensorId, after.sensorId, after.lastMs, CHUNKS_AT_ONCE],
    );
    const chunks = rows.map(toChunk);
    for (const chunk of chunks) if (!isWhole(chunk)) yield chunk;
    const last = chunks.at(-1);
    if (!last || chunks.length < CHUNKS_AT_ONCE) return;
    after = last;
  }
}

function isWhole(chunk: ChunkRow): boolean {
  try {
    const points = openChunk(chunk);
    const { dates } = points;
    const isInOrder = dates.every((dateMs, at) => at === 0 || dateMs > (dates[at - 1] ?? 0));
    const ends = dates[0] === chunk.firstMs && dates.at(-1) === chunk.lastMs;
    const numbers = Array.from(dates, (_, at) => points.number(at));
    const isSummed = isDeepStrictEqual(summaryOf(numbers), chunk.summary);
    const isShort = dates.length === chunk.count && chunk.lastMs - chunk.firstMs <= LONGEST_CHUNK_MS;
    return isInOrder && ends && isShort && isSummed;
  } catch {
    return false;
  }
}

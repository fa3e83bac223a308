import type { RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import type { Reader } from '../../storage/read-pool';
import { HEAD_COLUMNS, reachesInto, toHead } from './chunk-rows';
import { readRuns } from './points-in-order';

/** The key and the head of a row of `data_chunks`, about. */
const CHUNK_HEAD_BYTES = 60;
/** From this number of points on, their average size says something. */
const MANY = 10_000;

/** The number of points in a range. */
export async function countStored(from: Reader, sensorIds: readonly number[], range: TimeRange): Promise<number> {
  if (sensorIds.length === 0) return 0;
  const { startMs, endMs } = range;
  // One statement, so that a point that is moved meanwhile counts once.
  const [rows] = await from.query<RowDataPacket[]>(
    `SELECT NULL AS sensorId, NULL AS firstMs, NULL AS lastMs, COUNT(*) AS count, 0 AS within
     FROM data_points WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ?
     UNION ALL
     SELECT ${HEAD_COLUMNS}, EXISTS (
       SELECT 1 FROM data_points p WHERE p.sensor_id = c.sensor_id AND p.date_ms BETWEEN c.first_ms AND c.last_ms)
     FROM data_chunks c WHERE c.sensor_id IN (?) AND ${reachesInto(range)}`,
    [sensorIds, startMs, endMs, sensorIds],
  );
  let total = 0;
  for (const row of rows) {
    if (row.sensorId === null) {
      total += Number(row.count);
      continue;
    }
    const { sensorId, firstMs, lastMs, count } = toHead(row);
    const isWhole = firstMs >= startMs && lastMs <= endMs && Number(row.within) === 0;
    const part = { startMs: Math.max(startMs, firstMs), endMs: Math.min(endMs, lastMs) };
    total += isWhole ? count : await countInChunks(from, sensorId, part);
  }
  return total;
}

/** What the data of a user takes. */
export interface StoredData {
  points: number;
  /** By the average size of a point in the table; null for few points, or if the server does not say. */
  bytes: number | null;
}

/** Counts the points of a user's sensors. */
export async function countStoredOf(from: Reader, ownerId: number): Promise<StoredData> {
  const [[row]] = await from.query<RowDataPacket[]>(
    `SELECT counted.*, (SELECT AVG_ROW_LENGTH FROM information_schema.TABLES
       WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'data_points') AS rowBytes
     FROM (SELECT (SELECT COUNT(*) FROM sensors s JOIN data_points p ON p.sensor_id = s.id WHERE s.owner_id = ?) AS inRows,
             COALESCE(SUM(c.points), 0) AS inChunks, COALESCE(SUM(LENGTH(c.body) + ${CHUNK_HEAD_BYTES}), 0) AS chunkBytes
           FROM sensors s JOIN data_chunks c ON c.sensor_id = s.id WHERE s.owner_id = ?) counted`,
    [ownerId, ownerId],
  );
  const [inRows = 0, inChunks = 0, rowBytes = 0] = [row?.inRows, row?.inChunks, row?.rowBytes].map((n) =>
    Number(n ?? 0),
  );
  const points = inRows + inChunks;
  if (rowBytes === 0 || points < MANY) return { points, bytes: null };
  return { points, bytes: inRows * rowBytes + Number(row?.chunkBytes) };
}

/** The number of points in a range that only chunks hold. */
async function countInChunks(from: Reader, sensorId: number, range: TimeRange): Promise<number> {
  let count = 0;
  for await (const run of readRuns(from, sensorId, { ...range, isDescending: false })) {
    if (run.isOfChunk) count += run.length;
  }
  return count;
}

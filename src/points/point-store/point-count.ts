import type { RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import type { Reader } from '../../storage/read-pool';
import { HEAD_COLUMNS, reachesInto, toHead } from './chunk-rows';
import { readRuns } from './points-in-order';

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

/** The number of points in a range that only chunks hold. */
async function countInChunks(from: Reader, sensorId: number, range: TimeRange): Promise<number> {
  let count = 0;
  for await (const run of readRuns(from, sensorId, { ...range, isDescending: false })) {
    if (run.isOfChunk) count += run.length;
  }
  return count;
}

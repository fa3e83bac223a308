import type { RowDataPacket } from 'mysql2/promise';
import type { SensorDataPoint } from '../../rules/data-point';
import type { TimeRange } from '../../rules/time-range';
import type { Reader } from '../../storage/read-pool';

/** All points of a chunk of time, which starts at the end of the previous one; in order of date, then of sensor. */
export interface Chunk {
  points: SensorDataPoint[];
  untilMs: number;
}

/** A chunk of small values is read within milliseconds. */
export const POINTS_PER_CHUNK = 2_000;
/** A chunk of large values has fewer points, so that the chunks of all backtests fit into memory together. */
export const BYTES_PER_CHUNK = 4_000_000;
const FIRST_LENGTH_MS = 3_600_000;

/**
 * Reads the points of sensors from `startMs` to `endMs`, both included, chunk by chunk. No chunk is longer than
 * `maxLengthMs`; otherwise its length depends on the data: long where there is little. There is at least one chunk.
 */
export async function* readChunks(
  pool: Reader,
  sensorIds: readonly number[],
  { startMs, endMs, maxLengthMs }: TimeRange & { maxLengthMs: number },
): AsyncGenerator<Chunk> {
  let reachedMs = startMs - 1;
  let lengthMs = Math.min(FIRST_LENGTH_MS, maxLengthMs);
  while (reachedMs < endMs) {
    const untilMs = Math.min(reachedMs + lengthMs, endMs);
    const size = await readSize(pool, sensorIds, reachedMs, untilMs);
    if (size > 1 && untilMs - reachedMs > 1) {
      lengthMs = Math.max(1, Math.floor((untilMs - reachedMs) / 4));
      continue;
    }
    const points = await readPoints(pool, sensorIds, reachedMs, untilMs);
    reachedMs = untilMs;
    yield { points, untilMs };
    if (size <= 0.5) lengthMs = Math.min(lengthMs * 2, maxLengthMs);
  }
}

/** The date of the first of these points; null if there is none. */
export async function readFirstDate(
  pool: Reader,
  sensorIds: readonly number[],
  { startMs, endMs }: TimeRange,
): Promise<number | null> {
  // One look-up in the index for each sensor.
  const [[row]] = await pool.query<RowDataPacket[]>(
    `SELECT MIN(first) AS first FROM (
       SELECT MIN(date_ms) AS first FROM data_points WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ? GROUP BY sensor_id
     ) firsts`,
    [sensorIds, startMs, endMs],
  );
  return row?.first ?? null;
}

/** The date of the last point before `beforeMs` of each sensor that has one. */
export async function readLastDates(
  pool: Reader,
  sensorIds: readonly number[],
  beforeMs: number,
): Promise<Map<number, number>> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT sensor_id AS sensorId, MAX(date_ms) AS last FROM data_points
     WHERE sensor_id IN (?) AND date_ms < ? GROUP BY sensor_id`,
    [sensorIds, beforeMs],
  );
  return new Map(rows.map((row) => [Number(row.sensorId), Number(row.last)]));
}

/** The size of a chunk in proportion to the largest allowed; above 1 it is too large. */
async function readSize(pool: Reader, sensorIds: readonly number[], afterMs: number, untilMs: number): Promise<number> {
  const [[row]] = await pool.query<RowDataPacket[]>(
    `SELECT COUNT(*) AS points, SUM(bytes) AS bytes FROM (
       SELECT LENGTH(value) AS bytes FROM data_points WHERE sensor_id IN (?) AND date_ms > ? AND date_ms <= ? LIMIT ?
     ) sizes`,
    [sensorIds, afterMs, untilMs, POINTS_PER_CHUNK + 1],
  );
  return Math.max(Number(row?.points) / POINTS_PER_CHUNK, Number(row?.bytes) / BYTES_PER_CHUNK);
}

/** All points of a chunk of an allowed size. In one millisecond there are no more points than sensors. */
async function readPoints(pool: Reader, sensorIds: readonly number[], afterMs: number, untilMs: number) {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points
     WHERE sensor_id IN (?) AND date_ms > ? AND date_ms <= ? ORDER BY sensor_id, date_ms`,
    [sensorIds, afterMs, untilMs],
  );
  const points = rows as SensorDataPoint[]; // the aliases above are its keys
  return points.sort((a, b) => a.dateMs - b.dateMs || a.sensorId - b.sensorId);
}

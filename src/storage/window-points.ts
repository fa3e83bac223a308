import type { RowDataPacket } from 'mysql2/promise';
import type { StoredPoint } from '../rules/windows/sensor-windows';
import { MAX_WINDOW_BYTES, MAX_WINDOW_POINTS, SHORT_VALUE_BYTES } from '../rules/windows/window-functions';
import type { Reader } from './read-pool';

/** Points of a sensor after one date and until another, in ms. */
export interface PointRange {
  sensorId: number;
  afterMs: number;
  untilMs: number;
}

/** The newest points of a range, in order of date: as many as a window may hold, and one more. */
export interface StoredPoints {
  points: StoredPoint[];
  /** True if the range holds, or may hold, more points. */
  isCut: boolean;
}

interface PointRow extends RowDataPacket {
  sensorId: number;
  dateMs: number;
  bytes: number;
  /** Null if it is long. */
  value: string | null;
}

/** Maximum number of ranges of one read. */
export const RANGES_PER_READ = 20;
const MOST = MAX_WINDOW_POINTS + 1;
const COLUMNS = 'sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes';
const NEWEST = `FROM data_points WHERE sensor_id = ? AND date_ms > ? AND date_ms <= ? ORDER BY date_ms DESC LIMIT ${MOST}`;

/**
 * Reads the newest points of each range, of at most `RANGES_PER_READ`: their short values by one statement, and the long ones by another for each
 * range, so that the points of many sensors fit into memory.
 */
export async function readStoredPoints(
  from: Reader,
  ranges: readonly PointRange[],
): Promise<Map<number, StoredPoints>> {
  const read = new Map<number, StoredPoints>();
  if (ranges.length === 0) return read;
  const one = `(SELECT ${COLUMNS}, IF(LENGTH(value) <= ${SHORT_VALUE_BYTES}, value, NULL) AS value ${NEWEST})`;
  const [rows] = await from.query<PointRow[]>(
    ranges.map(() => one).join(' UNION ALL '),
    ranges.flatMap(({ sensorId, afterMs, untilMs }) => [sensorId, afterMs, untilMs]),
  );
  const rowsOf = new Map<number, PointRow[]>(ranges.map(({ sensorId }) => [sensorId, []]));
  for (const row of rows) rowsOf.get(Number(row.sensorId))?.push(row);
  for (const range of ranges) {
    const newestFirst = (rowsOf.get(range.sensorId) ?? []).sort((a, b) => b.dateMs - a.dateMs);
    read.set(range.sensorId, await withLongValues(from, range, newestFirst));
  }
  return read;
}

/** Reads long values up to the maximum of a window. The value that exceeds it is not read, and no older point is taken. */
async function withLongValues(from: Reader, range: PointRange, newestFirst: PointRow[]): Promise<StoredPoints> {
  let bytes = 0;
  const last = newestFirst.findIndex((row) => {
    bytes += row.value === null ? row.bytes : 0;
    return bytes > MAX_WINDOW_BYTES;
  });
  const taken = last < 0 ? newestFirst : newestFirst.slice(0, last + 1);
  const afterMs = taken[last]?.dateMs ?? range.afterMs;
  const long =
    bytes === 0 ? undefined : await readLong(from, { sensorId: range.sensorId, afterMs, untilMs: range.untilMs });
  const points = taken.map(({ dateMs, bytes: size, value }): StoredPoint => {
    const read = value ?? long?.get(dateMs) ?? null;
    return read === null ? { dateMs, value: null, bytes: size } : { dateMs, value: read };
  });
  return { points: points.reverse(), isCut: taken.length === MOST || last >= 0 };
}

async function readLong(from: Reader, { sensorId, afterMs, untilMs }: PointRange): Promise<Map<number, string>> {
  const [rows] = await from.query<RowDataPacket[]>(
    `SELECT date_ms AS dateMs, value FROM (SELECT date_ms, value ${NEWEST}) newest WHERE LENGTH(value) > ${SHORT_VALUE_BYTES}`,
    [sensorId, afterMs, untilMs],
  );
  return new Map(rows.map(({ dateMs, value }) => [Number(dateMs), String(value)]));
}

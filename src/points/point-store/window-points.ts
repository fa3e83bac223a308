import type { RowDataPacket } from 'mysql2/promise';
import type { StoredPoint } from '../../language/windows/sensor-windows';
import { MAX_WINDOW_BYTES, MAX_WINDOW_POINTS, SHORT_VALUE_BYTES } from '../../language/windows/window-functions';
import type { Reader } from '../../storage/read-pool';
import { reachesInto } from './chunk-rows';
import { nameOf, readValues } from './point-values';
import { readInOrder } from './points-in-order';

export interface PointRange {
  sensorId: number;
  afterMs: number;
  untilMs: number;
}

/** Newest points of a range, in order of date: the maximum of a window and one more. */
export interface StoredPoints {
  points: StoredPoint[];
  /** True if the range may hold more points. */
  isCut: boolean;
}

interface NewPoint {
  dateMs: number;
  bytes: number;
  /** Null if it is long. */
  value: string | null;
}

export const RANGES_PER_READ = 20;
const MOST = MAX_WINDOW_POINTS + 1;

/**
 * Reads up to `RANGES_PER_READ` ranges: short values by one statement, long ones range by range, so that they fit into
 * memory.
 */
export async function* readStoredPoints(
  from: Reader,
  ranges: readonly PointRange[],
): AsyncGenerator<{ sensorId: number; stored: StoredPoints }, void> {
  if (ranges.length === 0) return;
  const rows = await readRows(from, ranges);
  const inChunks = await findInChunks(from, ranges);
  for (const range of ranges) {
    const { sensorId } = range;
    const newestFirst = inChunks.has(sensorId) ? await readMerged(from, range) : rows.get(sensorId);
    yield { sensorId, stored: await withLongValues(from, range, newestFirst ?? []) };
  }
}

export async function readStoredRange(from: Reader, range: PointRange): Promise<StoredPoints> {
  for await (const { stored } of readStoredPoints(from, [range])) return stored;
  return { points: [], isCut: false };
}

/** Returns the newest first. */
async function readRows(from: Reader, ranges: readonly PointRange[]): Promise<Map<number, NewPoint[]>> {
  const one = `(SELECT sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes,
      IF(LENGTH(value) <= ${SHORT_VALUE_BYTES}, value, NULL) AS value
    FROM data_points WHERE sensor_id = ? AND date_ms > ? AND date_ms <= ? ORDER BY date_ms DESC LIMIT ${MOST})`;
  const [rows] = await from.query<(RowDataPacket & NewPoint)[]>(
    ranges.map(() => one).join(' UNION ALL '),
    ranges.flatMap(({ sensorId, afterMs, untilMs }) => [sensorId, afterMs, untilMs]),
  );
  const rowsOf = new Map<number, NewPoint[]>(ranges.map(({ sensorId }) => [sensorId, []]));
  for (const row of rows) rowsOf.get(Number(row.sensorId))?.push(row);
  for (const own of rowsOf.values()) own.sort((a, b) => b.dateMs - a.dateMs);
  return rowsOf;
}

/** Call it after the rows are read: points move from rows into chunks. */
async function findInChunks(from: Reader, ranges: readonly PointRange[]): Promise<ReadonlySet<number>> {
  const [found] = await from.query<RowDataPacket[]>(
    ranges
      .map(({ sensorId, afterMs, untilMs }) => {
        const range = reachesInto({ startMs: afterMs + 1, endMs: untilMs });
        return `(SELECT sensor_id AS sensorId FROM data_chunks WHERE sensor_id = ${sensorId} AND ${range} LIMIT 1)`;
      })
      .join(' UNION ALL '),
  );
  return new Set(found.map(({ sensorId }) => Number(sensorId)));
}

async function readMerged(from: Reader, { sensorId, afterMs, untilMs }: PointRange): Promise<NewPoint[]> {
  const newest: NewPoint[] = [];
  const order = { startMs: afterMs + 1, endMs: untilMs, isDescending: true, page: { offset: 0, limit: MOST } };
  for await (const points of readInOrder(from, [sensorId], order)) {
    for (const { dateMs, bytes, value } of points) {
      newest.push({ dateMs, bytes, value: bytes <= SHORT_VALUE_BYTES ? value : null });
    }
  }
  return newest;
}

/** Reads long values up to the maximum of a window, and takes no older point after it. */
async function withLongValues(
  from: Reader,
  { sensorId }: PointRange,
  newestFirst: readonly NewPoint[],
): Promise<StoredPoints> {
  let bytes = 0;
  const last = newestFirst.findIndex((point) => {
    bytes += point.value === null ? point.bytes : 0;
    return bytes > MAX_WINDOW_BYTES;
  });
  const taken = last < 0 ? newestFirst : newestFirst.slice(0, last + 1);
  const keys = taken.flatMap(({ dateMs, value }, at) => (value === null && at !== last ? [{ sensorId, dateMs }] : []));
  const long = keys.length === 0 ? undefined : await readValues(from, keys);
  const points = taken.map(({ dateMs, bytes: size, value }): StoredPoint => {
    const read = value ?? long?.get(nameOf({ sensorId, dateMs })) ?? null;
    return read === null ? { dateMs, value: null, bytes: size } : { dateMs, value: read };
  });
  return { points: points.reverse(), isCut: taken.length === MOST || last >= 0 };
}

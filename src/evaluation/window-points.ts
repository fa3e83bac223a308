import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DataPoint } from '../rules/data-point';
import { MAX_WINDOW_POINTS } from '../rules/windows/window-functions';

/** Points of a sensor after one date and until another, in ms. */
export interface PointRange {
  sensorId: number;
  afterMs: number;
  untilMs: number;
}

/** The newest points of a range, in order of date: at most one more than a window may hold. */
export interface StoredPoints {
  points: DataPoint[];
  /** Why the values could not be read. */
  problem?: string;
}

const MOST = MAX_WINDOW_POINTS + 1;
/** Longer values are read apart, so that the points of many sensors fit into memory. */
const SHORT_BYTES = 250;
/** Maximum size of the longer values of a range. */
const MAX_BYTES = 8_000_000;

const COLUMNS = `sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes, IF(LENGTH(value) <= ${SHORT_BYTES}, value, NULL) AS value`;
const NEWEST = `FROM data_points WHERE sensor_id = ? AND date_ms > ? AND date_ms <= ? ORDER BY date_ms DESC LIMIT ${MOST}`;

/** True if the range may hold more points than were read. */
export function isCutOff({ points }: StoredPoints): boolean {
  return points.length === MOST;
}

/** Reads the newest points of each range by one statement, and long values of a range by another one. */
export async function readStoredPoints(
  connection: PoolConnection,
  ranges: readonly PointRange[],
): Promise<Map<number, StoredPoints>> {
  const read = new Map<number, StoredPoints>();
  if (ranges.length === 0) return read;
  const [rows] = await connection.query<RowDataPacket[]>(
    ranges.map(() => `(SELECT ${COLUMNS} ${NEWEST})`).join(' UNION ALL '),
    ranges.flatMap(({ sensorId, afterMs, untilMs }) => [sensorId, afterMs, untilMs]),
  );
  const rowsOf = new Map<number, RowDataPacket[]>(ranges.map(({ sensorId }) => [sensorId, []]));
  for (const row of rows) rowsOf.get(Number(row.sensorId))?.push(row);
  for (const range of ranges) {
    const own = rowsOf.get(range.sensorId) ?? [];
    const longBytes = own.reduce((bytes, row) => bytes + (row.value === null ? Number(row.bytes) : 0), 0);
    read.set(range.sensorId, await withLongValues(connection, range, own, longBytes));
  }
  return read;
}

async function withLongValues(
  connection: PoolConnection,
  range: PointRange,
  rows: readonly RowDataPacket[],
  longBytes: number,
): Promise<StoredPoints> {
  const points = () =>
    rows.flatMap(({ dateMs, value }) => (value === null ? [] : [{ dateMs: Number(dateMs), value: String(value) }]));
  if (longBytes === 0) return { points: points().sort(byDate) };
  if (longBytes > MAX_BYTES) {
    const seconds = Math.round((range.untilMs - range.afterMs) / 1000);
    return { points: [], problem: `the values within ${seconds} seconds have more than ${MAX_BYTES} bytes` };
  }
  const [long] = await connection.query<RowDataPacket[]>(
    `SELECT date_ms AS dateMs, value FROM (SELECT date_ms, value ${NEWEST}) newest WHERE LENGTH(value) > ${SHORT_BYTES}`,
    [range.sensorId, range.afterMs, range.untilMs],
  );
  const longPoints = long.map(({ dateMs, value }) => ({ dateMs: Number(dateMs), value: String(value) }));
  return { points: [...points(), ...longPoints].sort(byDate) };
}

function byDate(a: DataPoint, b: DataPoint): number {
  return a.dateMs - b.dateMs;
}

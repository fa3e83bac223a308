import type { RowDataPacket } from 'mysql2/promise';
import { dataPointId, type StoredDataPoint } from '../../domain/data-point';
import { type Interval, intervalStart } from '../../domain/intervals';
import type { Page } from '../../domain/paging';
import type { TimeRange } from '../../domain/time-range';

/** Which points of the sensors are wanted. */
export interface PointQuery extends TimeRange {
  /** Only the first or the last point of each sensor in the range, or the interval that it lies in. */
  one?: 'first' | 'last';
  descending: boolean;
  /** One point per interval of so many seconds. */
  interval?: Interval;
}

/** Statements for a page of points, the bytes of its values and their total. `page` selects sensorId, dateMs, lastMs, value and mean; lastMs is the date of the stored point, dateMs the one to show. */
export interface PointStatements {
  page: string;
  bytes: string;
  count: string;
}

// Numbers to both MySQL and MariaDB, short enough that no sum of them overflows.
const NUMERIC = '^[[:space:]]*[-+]?([0-9]{1,40}([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,2})?[[:space:]]*$';

/**
 * The statements that read points. Only whole numbers are put into their text. The cost of a page is its own length and
 * what is skipped before it, for each sensor, whatever else is stored: the primary key is in order of date.
 */
export function pointStatements(sensorIds: readonly number[], query: PointQuery, page: Page): PointStatements {
  const statements =
    query.interval === undefined
      ? rawStatements(sensorIds, query, page)
      : intervalStatements(sensorIds, query, query.interval, page);
  const bytes = `SELECT SUM(IF(mean IS NULL, LENGTH(value), 0)) AS bytes FROM (${statements.page}) points`;
  return { ...statements, bytes };
}

function rawStatements(
  sensorIds: readonly number[],
  query: PointQuery,
  { offset, limit }: Page,
): Omit<PointStatements, 'bytes'> {
  const direction = query.descending ? 'DESC' : 'ASC';
  // The keys of each sensor in order and only up to the end of the page, instead of sorting all points of all sensors.
  const keys = query.one
    ? firstOrLastSql(sensorIds, query)
    : sensorIds
        .map(
          (id) => `(SELECT sensor_id, date_ms FROM data_points WHERE ${inRange([id], query)}
                   ORDER BY date_ms ${direction} LIMIT ${offset + limit})`,
        )
        .join(' UNION ALL ');
  return {
    page: `SELECT p.sensor_id AS sensorId, p.date_ms AS dateMs, p.date_ms AS lastMs, p.value, NULL AS mean
           FROM (SELECT sensor_id, date_ms FROM (${keys}) candidates
                 ORDER BY date_ms ${direction}, sensor_id LIMIT ${limit} OFFSET ${offset}) k
           JOIN data_points p ON p.sensor_id = k.sensor_id AND p.date_ms = k.date_ms
           ORDER BY k.date_ms ${direction}, k.sensor_id`,
    count: query.one
      ? `SELECT COUNT(*) AS total FROM (${keys}) candidates`
      : `SELECT COUNT(*) AS total FROM data_points WHERE ${inRange(sensorIds, query)}`,
  };
}

function intervalStatements(
  sensorIds: readonly number[],
  query: PointQuery,
  interval: Interval,
  { offset, limit }: Page,
): Omit<PointStatements, 'bytes'> {
  const direction = query.descending ? 'DESC' : 'ASC';
  const start = startSql('d.date_ms', interval);
  const points = query.one
    ? `(${firstOrLastSql(sensorIds, query)}) k JOIN data_points d ON d.sensor_id = k.sensor_id
       AND d.date_ms BETWEEN GREATEST(${query.startMs}, ${startSql('k.date_ms', interval)})
                         AND LEAST(${query.endMs}, ${startSql('k.date_ms', interval)} + ${interval * 1000 - 1})`
    : `data_points d WHERE ${inRange(sensorIds, query, 'd.')}`;
  return {
    page: `SELECT g.sensor_id AS sensorId, g.start_ms AS dateMs, p.date_ms AS lastMs, p.value, g.mean
           FROM (SELECT d.sensor_id, ${start} AS start_ms, MAX(d.date_ms) AS last_ms,
                        AVG(CASE WHEN d.value REGEXP '${NUMERIC}' THEN d.value + 0e0 END) AS mean
                 FROM ${points} GROUP BY d.sensor_id, start_ms
                 ORDER BY start_ms ${direction}, d.sensor_id LIMIT ${limit} OFFSET ${offset}) g
           JOIN data_points p ON p.sensor_id = g.sensor_id AND p.date_ms = g.last_ms
           ORDER BY g.start_ms ${direction}, g.sensor_id`,
    count: `SELECT COUNT(*) AS total FROM (SELECT DISTINCT d.sensor_id, ${start} FROM ${points}) intervals`,
  };
}

/** The key of each sensor's first or last point in the range: one look-up in the index for each. */
function firstOrLastSql(sensorIds: readonly number[], query: PointQuery): string {
  return `SELECT sensor_id, ${query.one === 'first' ? 'MIN' : 'MAX'}(date_ms) AS date_ms FROM data_points
          WHERE ${inRange(sensorIds, query)} GROUP BY sensor_id`;
}

function inRange(sensorIds: readonly number[], { startMs, endMs }: PointQuery, table = ''): string {
  return `${table}sensor_id IN (${sensorIds.join(', ')}) AND ${table}date_ms BETWEEN ${startMs} AND ${endMs}`;
}

/** Without a division, which would be rounded and put the last instants of an interval into the next one. */
function startSql(column: string, interval: Interval): string {
  return `(${column} - MOD(${column} + ${-intervalStart(0, interval)}, ${interval * 1000}))`;
}

/** The value is the mean of the numbers of an interval; without numbers, and for a stored point, it is the stored value. */
export function toDataPoint(row: RowDataPacket): StoredDataPoint {
  return {
    id: dataPointId(Number(row.lastMs)),
    sensorId: Number(row.sensorId),
    dateMs: Number(row.dateMs),
    value: row.mean === null ? row.value : String(row.mean),
  };
}

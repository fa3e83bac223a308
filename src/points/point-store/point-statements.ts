import { type Interval, type IntervalPiece, pieceAt } from '../../edge/intervals';
import { ANY_NUMBER, PLAIN_NUMBER } from '../../edge/number-in';
import type { Page } from '../../edge/paging';
import type { TimeRange } from '../../edge/time-range';
import type { Aggregate } from '../data-points/aggregates';
import { doubleColumn } from './double-column';

export interface PointQuery extends TimeRange {
  /** Only the first or last point of a sensor in the range, or its interval. */
  one?: 'first' | 'last';
  descending: boolean;
  intervals?: WantedIntervals;
}

/** Intervals of a length in seconds, and an aggregate of their numbers. */
export interface WantedIntervals {
  seconds: Interval;
  pieces: readonly IntervalPiece[];
  aggregate: Aggregate;
}

export type IntervalQuery = PointQuery & { intervals: WantedIntervals };

export function isByIntervals(query: PointQuery): query is IntervalQuery {
  return query.intervals !== undefined;
}

export interface PointKey {
  sensorId: number;
  dateMs: number;
}

/** Statements for a page (sensorId, dateMs, value), its keys with sizes in bytes, and the total size. */
export interface PointStatements {
  page: string;
  sizes: string;
  bytes: string;
}

/**
 * `page` selects sensorId, startMs, firstMs and lastMs of the points, `objects` (values that may be JSON objects), and
 * each aggregate under its name: null, or a count of 0, without numbers. For `first` and `last` it is the date. For `min`
 * and `max` also whether there is a value `true`, and a value `false`.
 */
export interface IntervalStatements {
  page: string;
  count: string;
}

// Plain numbers are cheaper to test.
const IS_PLAIN = `d.value REGEXP '${PLAIN_NUMBER}'`;
const IS_NUMBER = `d.value REGEXP '${ANY_NUMBER}'`;
const NUMBER = `CASE WHEN ${IS_PLAIN} THEN d.value + 0e0 WHEN ${IS_NUMBER} THEN d.value + 0e0 END`;
const DATE_OF_NUMBER = `CASE WHEN ${IS_PLAIN} OR ${IS_NUMBER} THEN d.date_ms END`;
const MEAN = doubleColumn('mean', `AVG(${NUMBER})`);
const LOWEST = doubleColumn('min', `MIN(${NUMBER})`);
const HIGHEST = doubleColumn('max', `MAX(${NUMBER})`);
const STATES = ['true', 'false'].map((text) => `MAX(CAST(d.value AS BINARY) = '${text}') AS \`${text}\``).join(', ');
const COUNT = `COUNT(${NUMBER}) AS count`;
const AGGREGATE_SQL: Record<Aggregate, string> = {
  mean: MEAN,
  min: `${LOWEST}, ${STATES}`,
  max: `${HIGHEST}, ${STATES}`,
  sum: doubleColumn('sum', `SUM(${NUMBER})`),
  count: COUNT,
  first: `MIN(${DATE_OF_NUMBER}) AS first`,
  last: `MAX(${DATE_OF_NUMBER}) AS last`,
  all: [MEAN, LOWEST, HIGHEST, COUNT, STATES].join(', '),
};

/**
 * Only whole numbers are put into the text. A page costs its length and the skipped part: the primary key is in order
 * of date.
 */
export function pointStatements(
  sensorIds: readonly number[],
  query: PointQuery,
  { offset, limit }: Page,
): PointStatements {
  const direction = query.descending ? 'DESC' : 'ASC';
  // Reads keys of each sensor up to the end of the page, instead of sorting all points of all sensors.
  const keys = query.one
    ? firstOrLastSql(sensorIds, query)
    : sensorIds
        .map(
          (id) => `(SELECT sensor_id, date_ms FROM data_points WHERE ${inRange([id], query)}
                   ORDER BY date_ms ${direction} LIMIT ${offset + limit})`,
        )
        .join(' UNION ALL ');
  const select = (what: string) => `SELECT p.sensor_id AS sensorId, p.date_ms AS dateMs, ${what}
           FROM (SELECT sensor_id, date_ms FROM (${keys}) candidates
                 ORDER BY date_ms ${direction}, sensor_id LIMIT ${limit} OFFSET ${offset}) k
           JOIN data_points p ON p.sensor_id = k.sensor_id AND p.date_ms = k.date_ms
           ORDER BY k.date_ms ${direction}, k.sensor_id`;
  return {
    page: select('p.value'),
    sizes: select('LENGTH(p.value) AS bytes'),
    bytes: `SELECT SUM(bytes) AS bytes FROM (${select('LENGTH(p.value) AS bytes')}) points`,
  };
}

export function intervalStatements(
  sensorIds: readonly number[],
  query: IntervalQuery,
  { offset, limit }: Page,
): IntervalStatements {
  const direction = query.descending ? 'DESC' : 'ASC';
  const { start } = intervalSql('d.date_ms', query);
  const own = intervalSql('k.date_ms', query);
  const points = query.one
    ? `(${firstOrLastSql(sensorIds, query)}) k JOIN data_points d ON d.sensor_id = k.sensor_id
       AND d.date_ms BETWEEN GREATEST(${query.startMs}, ${own.start})
                         AND LEAST(${query.endMs}, ${own.start} + ${own.length} - 1)`
    : `data_points d WHERE ${inRange(sensorIds, query, 'd.')}`;
  return {
    page: `SELECT d.sensor_id AS sensorId, ${start} AS startMs, MIN(d.date_ms) AS firstMs, MAX(d.date_ms) AS lastMs,
                  SUM(d.value LIKE '{%') AS objects, ${AGGREGATE_SQL[query.intervals.aggregate]}
           FROM ${points} GROUP BY d.sensor_id, startMs
           ORDER BY startMs ${direction}, d.sensor_id LIMIT ${limit} OFFSET ${offset}`,
    count: `SELECT COUNT(*) AS total FROM (SELECT DISTINCT d.sensor_id, ${start} FROM ${points}) intervals`,
  };
}

/** Takes one look-up in the index for each sensor. */
function firstOrLastSql(sensorIds: readonly number[], query: PointQuery): string {
  return `SELECT sensor_id, ${query.one === 'first' ? 'MIN' : 'MAX'}(date_ms) AS date_ms FROM data_points
          WHERE ${inRange(sensorIds, query)} GROUP BY sensor_id`;
}

function inRange(sensorIds: readonly number[], { startMs, endMs }: PointQuery, table = ''): string {
  return `${table}sensor_id IN (${sensorIds.join(', ')}) AND ${table}date_ms BETWEEN ${startMs} AND ${endMs}`;
}

function intervalSql(column: string, { intervals: { pieces }, startMs, endMs }: IntervalQuery) {
  const those = pieces.slice(pieceAt(pieces, startMs), pieceAt(pieces, endMs) + 1);
  const origins = those.map(({ fromMs }) => fromMs);
  // INTERVAL does a binary search for the position.
  const at = `INTERVAL(${column}, ${origins.join(', ')})`;
  const pick = (numbers: readonly number[]) =>
    new Set(numbers).size === 1 ? `${numbers[0]}` : `CAST(ELT(${at}, ${numbers.join(', ')}) AS SIGNED)`;
  const origin = pick(origins);
  const length = pick(those.map(({ lengthMs }) => lengthMs));
  // A division would be rounded, and would put the last instants of an interval into the next one.
  return { start: `(${column} - MOD(${column} - (${origin}), ${length}))`, length };
}

/** Reads rows by key: one look-up in the primary key each. */
export function valueStatements(keys: readonly PointKey[]): PointStatements {
  const from = rowsOf(keys);
  return {
    page: `SELECT sensor_id AS sensorId, date_ms AS dateMs, value ${from}`,
    sizes: `SELECT sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes ${from}`,
    bytes: `SELECT SUM(LENGTH(value)) AS bytes ${from}`,
  };
}

/** Locks rows and selects sensorId, dateMs, belowNs. */
export function exactTimeStatement(keys: readonly PointKey[]): string {
  const columns = 'sensor_id AS sensorId, date_ms AS dateMs, below_ns AS belowNs';
  return `SELECT ${columns} ${rowsOf(keys)} ORDER BY sensor_id, date_ms FOR UPDATE`;
}

function rowsOf(keys: readonly PointKey[]): string {
  const dates = new Map<number, number[]>();
  for (const { sensorId, dateMs } of keys) {
    const own = dates.get(sensorId);
    if (own) own.push(dateMs);
    else dates.set(sensorId, [dateMs]);
  }
  const these = [...dates].map(([id, some]) => `(sensor_id = ${id} AND date_ms IN (${some.join(', ')}))`);
  return `FROM data_points WHERE ${these.join(' OR ')}`;
}

import type { RowDataPacket } from 'mysql2/promise';
import type { StoredDataPoint } from '../../rules/data-point';
import type { Page } from '../../rules/paging';
import type { Reader } from '../../storage/read-pool';
import {
  type IntervalQuery,
  intervalStatements,
  lastDateStatement,
  type PointKey,
  type PointQuery,
  pointStatements,
} from './data-point-queries';
import type { PointReads } from './field-intervals';
import { readIntervalParts, readIntervals } from './interval-points';
import { bytesOf, type Guard, readSizes, readStored, readStoredParts } from './stored-points';

/** A page of stored points in order of date, or of intervals, according to the query. */
export function readPointPage(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  return isByIntervals(query)
    ? readIntervals(from, sensorIds, query, page, guard)
    : readStored(from.reads, sensorIds, query, page, guard);
}

/**
 * The same page in parts of limited size, each read on demand, and then the keys of stored points. A point that was
 * deleted meanwhile is left out.
 */
export async function* readPointParts(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[], readonly PointKey[]> {
  if (!isByIntervals(query)) return yield* readStoredParts(from.reads, sensorIds, query, page);
  yield* readIntervalParts(from, sensorIds, query, page);
  return [];
}

/** The bytes of the values in a page of stored points. */
export function bytesOfPage(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<number> {
  return bytesOf(reads, pointStatements(sensorIds, query, page).bytes);
}

/** The keys of a page of stored points, in order. */
export function readPointKeys(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<readonly PointKey[]> {
  return readSizes(reads, pointStatements(sensorIds, query, page).sizes);
}

/** The date of the last stored point of a query; undefined if there is none. */
export async function readLastDate(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
): Promise<number | undefined> {
  const [[row]] = await reads.query<RowDataPacket[]>(lastDateStatement(sensorIds, query));
  return row?.lastMs === null ? undefined : Number(row?.lastMs);
}

/** The number of points, or intervals, on all pages of the query. */
export async function countPoints(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<number> {
  const { count } = isByIntervals(query)
    ? intervalStatements(sensorIds, query, page)
    : pointStatements(sensorIds, query, page);
  const [[counted]] = await reads.query<RowDataPacket[]>(count);
  return Number(counted?.total);
}

function isByIntervals(query: PointQuery): query is IntervalQuery {
  return query.intervals !== undefined;
}

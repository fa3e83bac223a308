import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../../database/read-pool';
import { dataPointId, type StoredDataPoint } from '../../domain/data-point';
import type { Interval } from '../../domain/intervals';
import type { Page } from '../../domain/paging';
import { partsByWeight, partsOf } from '../../domain/parts-of';
import {
  intervalStatements,
  lastDateStatement,
  type PointKey,
  type PointQuery,
  pointStatements,
  valueStatements,
} from './data-point-queries';

/** So many points are never large enough to ask for their bytes first: 6 MB. */
const SURE_TO_FIT = 100;
/** Keys in one statement; lists of 1,000 or more are executed in another way by some servers. */
const KEYS_AT_ONCE = 500;

/** The values of a part have so many bytes at most, or are so many of any size: a value has up to 64 KB. */
const BYTES_OF_A_PART = 1024 * 1024;
const VALUES_OF_A_PART = 16;

/** An interval: its last point, its start, and the mean of its numbers. */
interface IntervalRow {
  key: PointKey;
  startMs: number;
  mean: string | undefined;
}

/** Gets the bytes of the values of a page before they are read, unless they are few, and throws when they are too many. */
export type Guard = (bytes: number) => void;

/** A page of what is stored in order of date, or of intervals, as the query wants. */
export function readPointPage(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  const { interval } = query;
  if (interval !== undefined) return readIntervals(reads, sensorIds, { ...query, interval }, page, guard);
  return readStored(reads, sensorIds, query, page, guard);
}

/**
 * The same page in parts of which none is large, each read when it is asked for, and then the keys of what is stored. A point that was deleted
 * meanwhile is left out.
 */
export async function* readPointParts(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[], readonly PointKey[]> {
  const { interval } = query;
  if (interval !== undefined) {
    const intervals = await findIntervals(reads, sensorIds, { ...query, interval }, page);
    const parts = partsByWeight(intervals, ({ mean }) => (mean === undefined ? 1 : 0), VALUES_OF_A_PART);
    for (const part of parts) yield await withValues(reads, part);
    return [];
  }
  const sizes = await readSizes(reads, pointStatements(sensorIds, query, page).sizes);
  const parts = partsByWeight(sizes, ({ bytes }) => bytes, BYTES_OF_A_PART);
  if (parts.length === 1) yield await readStored(reads, sensorIds, query, page);
  else for (const part of parts) yield await readKeys(reads, part);
  return sizes;
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

/** The date of the last stored point of a query; undefined where there is none. */
export async function readLastDate(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
): Promise<number | undefined> {
  const [[row]] = await reads.query<RowDataPacket[]>(lastDateStatement(sensorIds, query));
  return row?.lastMs === null ? undefined : Number(row?.lastMs);
}

/** How many points, or intervals, the query has on all pages. */
export async function countPoints(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<number> {
  const { count } =
    query.interval === undefined
      ? pointStatements(sensorIds, query, page)
      : intervalStatements(sensorIds, query, query.interval, page);
  const [[counted]] = await reads.query<RowDataPacket[]>(count);
  return Number(counted?.total);
}

async function readStored(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  const statements = pointStatements(sensorIds, query, page);
  if (guard && page.limit > SURE_TO_FIT) guard(await bytesOf(reads, statements.bytes));
  const [rows] = await reads.query<RowDataPacket[]>(statements.page);
  return rows.map(({ sensorId, dateMs, value }) => {
    const key = { sensorId: Number(sensorId), dateMs: Number(dateMs) };
    return { id: dataPointId(key.dateMs), ...key, value };
  });
}

/** The value is the mean of the numbers of an interval; without numbers it is that of its last point, which is read by its key. */
async function readIntervals(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery & { interval: Interval },
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  return withValues(reads, await findIntervals(reads, sensorIds, query, page), guard);
}

async function findIntervals(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery & { interval: Interval },
  page: Page,
): Promise<IntervalRow[]> {
  const [rows] = await reads.query<RowDataPacket[]>(intervalStatements(sensorIds, query, query.interval, page).page);
  return rows.map(({ sensorId, startMs, lastMs, mean }) => ({
    key: { sensorId: Number(sensorId), dateMs: Number(lastMs) },
    startMs: Number(startMs),
    mean: mean === null ? undefined : String(mean),
  }));
}

async function withValues(reads: Reader, intervals: readonly IntervalRow[], guard?: Guard): Promise<StoredDataPoint[]> {
  const values = await readValues(
    reads,
    intervals.filter(({ mean }) => mean === undefined).map(({ key }) => key),
    guard,
  );
  return intervals.flatMap(({ key, startMs, mean }) => {
    const value = mean ?? values.get(nameOf(key));
    // A point that was deleted since has none.
    return value === undefined ? [] : [{ id: dataPointId(key.dateMs), sensorId: key.sensorId, dateMs: startMs, value }];
  });
}

/** The stored points of these keys, in their order. */
async function readKeys(reads: Reader, keys: readonly PointKey[]): Promise<StoredDataPoint[]> {
  const values = await readValues(reads, keys);
  return keys.flatMap(({ sensorId, dateMs }) => {
    const value = values.get(nameOf({ sensorId, dateMs }));
    return value === undefined ? [] : [{ id: dataPointId(dateMs), sensorId, dateMs, value }];
  });
}

async function readSizes(reads: Reader, statement: string): Promise<(PointKey & { bytes: number })[]> {
  const [rows] = await reads.query<RowDataPacket[]>(statement);
  return rows.map(({ sensorId, dateMs, bytes }) => ({
    sensorId: Number(sensorId),
    dateMs: Number(dateMs),
    bytes: Number(bytes),
  }));
}

async function readValues(reads: Reader, keys: readonly PointKey[], guard?: Guard): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const parts = partsOf(keys, KEYS_AT_ONCE).map(valueStatements);
  if (guard && keys.length > SURE_TO_FIT) {
    let bytes = 0;
    for (const part of parts) bytes += await bytesOf(reads, part.bytes);
    guard(bytes);
  }
  for (const part of parts) {
    const [rows] = await reads.query<RowDataPacket[]>(part.page);
    for (const { sensorId, dateMs, value } of rows) {
      values.set(nameOf({ sensorId: Number(sensorId), dateMs: Number(dateMs) }), value);
    }
  }
  return values;
}

function nameOf({ sensorId, dateMs }: PointKey): string {
  return `${sensorId} ${dateMs}`;
}

async function bytesOf(reads: Reader, statement: string): Promise<number> {
  const [[size]] = await reads.query<RowDataPacket[]>(statement);
  return Number(size?.bytes);
}

import type { RowDataPacket } from 'mysql2/promise';
import { dataPointId, type StoredDataPoint } from '../../rules/data-point';
import type { Page } from '../../rules/paging';
import { partsByWeight, partsOf } from '../../rules/parts-of';
import type { Reader } from '../../storage/read-pool';
import { type PointKey, type PointQuery, pointStatements, valueStatements } from './data-point-queries';

/** So many points are never large enough to ask for their bytes first: 6 MB. */
const SURE_TO_FIT = 100;
/** Keys in one statement; lists of 1,000 or more are executed in another way by some servers. */
const KEYS_AT_ONCE = 500;

/** The values of a part have so many bytes at most, or it has one. */
const BYTES_OF_A_PART = 1024 * 1024;

/** Gets the bytes of the values of a page before they are read, unless they are few, and throws when they are too many. */
export type Guard = (bytes: number) => void;

/** A page of what is stored, in order of date. */
export async function readStored(
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

/** The same page in parts of which none is large, each read when it is asked for, and then its keys. A point that was deleted meanwhile is left out. */
export async function* readStoredParts(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[], readonly PointKey[]> {
  const sizes = await readSizes(reads, pointStatements(sensorIds, query, page).sizes);
  const parts = partsByWeight(sizes, ({ bytes }) => bytes, BYTES_OF_A_PART);
  if (parts.length === 1) yield await readStored(reads, sensorIds, query, page);
  else for (const part of parts) yield await readKeys(reads, part);
  return sizes;
}

/** The stored points of these keys, in their order. */
async function readKeys(reads: Reader, keys: readonly PointKey[]): Promise<StoredDataPoint[]> {
  const values = await readValues(reads, keys);
  return keys.flatMap(({ sensorId, dateMs }) => {
    const value = values.get(nameOf({ sensorId, dateMs }));
    return value === undefined ? [] : [{ id: dataPointId(dateMs), sensorId, dateMs, value }];
  });
}

/** The keys and the bytes of what a statement for sizes selects. */
export async function readSizes(reads: Reader, statement: string): Promise<(PointKey & { bytes: number })[]> {
  const [rows] = await reads.query<RowDataPacket[]>(statement);
  return rows.map(({ sensorId, dateMs, bytes }) => ({
    sensorId: Number(sensorId),
    dateMs: Number(dateMs),
    bytes: Number(bytes),
  }));
}

/** The values of these keys, by the names of the keys. */
export async function readValues(
  reads: Reader,
  keys: readonly PointKey[],
  guard?: Guard,
): Promise<Map<string, string>> {
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

/** What a key is called in a map. */
export function nameOf({ sensorId, dateMs }: PointKey): string {
  return `${sensorId} ${dateMs}`;
}

/** What a statement for bytes selects. */
export async function bytesOf(reads: Reader, statement: string): Promise<number> {
  const [[size]] = await reads.query<RowDataPacket[]>(statement);
  return Number(size?.bytes);
}

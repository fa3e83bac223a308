import type { RowDataPacket } from 'mysql2/promise';
import { dataPointId, type StoredDataPoint } from '../../rules/data-point';
import type { Page } from '../../rules/paging';
import { partsByWeight, partsOf } from '../../rules/parts-of';
import type { Reader } from '../../storage/read-pool';
import { type PointKey, type PointQuery, pointStatements, valueStatements } from './data-point-queries';

/** Up to this number, points always fit into a response (6 MB), and their bytes are not read first. */
const SURE_TO_FIT = 100;
/** Number of keys per statement. Some servers execute lists of 1,000 or more in another way. */
const KEYS_AT_ONCE = 500;

/** Maximum number of bytes of the values of a part, unless it has only one value. */
const BYTES_OF_A_PART = 1024 * 1024;

/**
 * Gets the bytes of the values of a page before they are read, unless they are few, and throws if there are too many.
 */
export type Guard = (bytes: number) => void;

/** A page of stored points, in order of date. */
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

/**
 * The same page in parts of limited size, each read on demand, and then its keys. A point that was deleted meanwhile is
 * left out.
 */
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

/** The keys and the bytes that a statement for sizes selects. */
export async function readSizes(reads: Reader, statement: string): Promise<(PointKey & { bytes: number })[]> {
  const [rows] = await reads.query<RowDataPacket[]>(statement);
  return rows.map(({ sensorId, dateMs, bytes }) => ({
    sensorId: Number(sensorId),
    dateMs: Number(dateMs),
    bytes: Number(bytes),
  }));
}

/** The values of these keys, by `nameOf` the key. */
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

/** The key as a text, for a map. */
export function nameOf({ sensorId, dateMs }: PointKey): string {
  return `${sensorId} ${dateMs}`;
}

/** The bytes that a statement selects. */
export async function bytesOf(reads: Reader, statement: string): Promise<number> {
  const [[size]] = await reads.query<RowDataPacket[]>(statement);
  return Number(size?.bytes);
}

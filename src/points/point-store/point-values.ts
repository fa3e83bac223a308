import type { RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import type { Reader } from '../../storage/read-pool';
import { CHUNK_COLUMNS, type ChunkRow, openChunk, reachesInto, toChunk } from './chunk-rows';
import { type PointKey, valueStatements } from './point-statements';

/** Up to this many points always fit into a response (6 MB): their size is not read first. */
export const SURE_TO_FIT = 100;
/** Some servers execute lists of 1,000 or more keys in another way. */
const KEYS_AT_ONCE = 500;
const CHUNKS_AT_ONCE = 16;

/** Gets the bytes of a page before its values are read, unless they are few; throws if there are too many. */
export type Guard = (bytes: number) => void;

/** Returns values by `nameOf` the key; a deleted point has none. */
export async function readValues(from: Reader, keys: readonly PointKey[], guard?: Guard): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const parts = partsOf(keys, KEYS_AT_ONCE).map(valueStatements);
  let bytes = 0;
  if (guard && keys.length > SURE_TO_FIT) {
    for (const part of parts) bytes += await bytesOf(from, part.bytes);
    guard(bytes);
  }
  for (const part of parts) {
    const [rows] = await from.query<RowDataPacket[]>(part.page);
    for (const { sensorId, dateMs, value } of rows) {
      values.set(nameOf({ sensorId: Number(sensorId), dateMs: Number(dateMs) }), value);
    }
  }
  // Rows first: points are moved from rows into chunks.
  await addPacked(from, keys, values, keys.length > SURE_TO_FIT ? (more) => guard?.(bytes + more) : undefined);
  return values;
}

/** Returns values by `nameOf` the key. The guard gets the bytes so far. */
export async function readPackedValues(
  from: Reader,
  keys: readonly PointKey[],
  guard?: Guard,
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const lastOf = await lastPackedDates(from, [...new Set(keys.map(({ sensorId }) => sensorId))]);
  const some = keys.filter(({ sensorId, dateMs }) => dateMs <= (lastOf.get(sensorId) ?? Number.NEGATIVE_INFINITY));
  await addPacked(from, some, values, guard);
  return values;
}

/** Points after the last packed one need no look into chunks. */
async function lastPackedDates(from: Reader, sensorIds: readonly number[]): Promise<Map<number, number>> {
  const parts = await Promise.all(
    partsOf(sensorIds, KEYS_AT_ONCE).map((part) =>
      from.query<RowDataPacket[]>(
        'SELECT sensor_id AS sensorId, MAX(last_ms) AS lastMs FROM data_chunks WHERE sensor_id IN (?) GROUP BY sensor_id',
        [part],
      ),
    ),
  );
  return new Map(parts.flatMap(([rows]) => rows.map(({ sensorId, lastMs }) => [Number(sensorId), Number(lastMs)])));
}

async function addPacked(
  from: Reader,
  keys: readonly PointKey[],
  values: Map<string, string>,
  guard: Guard | undefined,
): Promise<void> {
  let bytes = 0;
  for (const [sensorId, dates] of missingOf(keys, values)) {
    for await (const { dateMs, value } of readFromChunks(from, sensorId, dates)) {
      bytes += Buffer.byteLength(value);
      guard?.(bytes);
      values.set(nameOf({ sensorId, dateMs }), value);
    }
  }
}

export async function readValueSizes(from: Reader, keys: readonly PointKey[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const part of partsOf(keys, KEYS_AT_ONCE).map(valueStatements)) {
    const [rows] = await from.query<RowDataPacket[]>(part.sizes);
    for (const { sensorId, dateMs, bytes } of rows) {
      sizes.set(nameOf({ sensorId: Number(sensorId), dateMs: Number(dateMs) }), Number(bytes));
    }
  }
  for (const [sensorId, dates] of missingOf(keys, sizes)) {
    for await (const { dateMs, value } of readFromChunks(from, sensorId, dates)) {
      sizes.set(nameOf({ sensorId, dateMs }), Buffer.byteLength(value));
    }
  }
  return sizes;
}

export function nameOf({ sensorId, dateMs }: PointKey): string {
  return `${sensorId} ${dateMs}`;
}

export async function bytesOf(from: Reader, statement: string): Promise<number> {
  const [[size]] = await from.query<RowDataPacket[]>(statement);
  return Number(size?.bytes);
}

function missingOf(keys: readonly PointKey[], known: ReadonlyMap<string, unknown>): Map<number, number[]> {
  const missing = new Map<number, number[]>();
  for (const key of keys) {
    if (known.has(nameOf(key))) continue;
    const dates = missing.get(key.sensorId);
    if (dates) dates.push(key.dateMs);
    else missing.set(key.sensorId, [key.dateMs]);
  }
  for (const dates of missing.values()) dates.sort((a, b) => a - b);
  return missing;
}

async function* readFromChunks(from: Reader, sensorId: number, dates: readonly number[]) {
  const endMs = dates.at(-1) ?? 0;
  for (let next = 0; next < dates.length; ) {
    const range = { startMs: dates[next] ?? 0, endMs };
    const [rows] = await from.query<RowDataPacket[]>(
      `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND ${reachesInto(range)} ORDER BY last_ms LIMIT ?`,
      [sensorId, CHUNKS_AT_ONCE],
    );
    const chunks = rows.map(toChunk);
    for (const chunk of chunks) {
      const until = dates.findIndex((dateMs, at) => at >= next && dateMs > chunk.lastMs);
      const own = dates.slice(next, until < 0 ? dates.length : until).filter((dateMs) => dateMs >= chunk.firstMs);
      yield* pointsAt(chunk, own);
      next = until < 0 ? dates.length : until;
    }
    if (chunks.length < CHUNKS_AT_ONCE) return;
  }
}

function* pointsAt(chunk: ChunkRow, dates: readonly number[]) {
  if (dates.length === 0) return;
  const points = openChunk(chunk);
  const wanted = new Set(dates);
  for (let at = 0; at < points.length; at += 1) {
    const dateMs = points.dateMs(at);
    if (wanted.has(dateMs)) yield { dateMs, value: points.value(at) };
  }
}

import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { ChunkPoint } from '../rules/chunk/chunk';
import { inPoolTransaction } from '../storage/transaction';
import { CHUNK_COLUMNS, type ChunkRow, LONGEST_CHUNK_MS, openChunk, toChunk } from './chunk-rows';
import { deleteChunk, deleteLockedRows, insertChunk, LatePoint, lockLastChunk } from './chunk-writes';
import { NEWEST_AS_ROWS } from './newest-rows';
import { nameOf, readValues } from './point-values';
import { SHORT_BYTES } from './points-in-order';

/** Maximum number of points of a chunk, and of bytes of their values, unless there is only one. */
export const MOST_POINTS = 1_440;
const MOST_BYTES = 32_768;
/** A sensor with at least this many points a day gets new chunks each day. */
const MANY_POINTS = 720;
const DAY_MS = 86_400_000;
/** How often late points may come between the rows while they are packed. */
const MOST_TRIES = 10;
/** Rows that do not fill a chunk are packed when they are this many times older than the age of packing. */
export const WAITS_FOR_MORE = 8;

/** Rows before `beforeMs` are packed; they are `ageMs` old then. */
export interface Age {
  beforeMs: number;
  ageMs: number;
}

/**
 * Packs the rows of a sensor before `beforeMs` into chunks, from the oldest on, each in a transaction, and yields after
 * each. Rows go to the chunk at their place if there is one, to the one before them if it has room, or become a new one.
 * The newest rows of a sensor stay, and so do rows that fill no chunk and are not much older.
 */
export async function* packSensor(pool: Pool, sensorId: number, age: Age): AsyncGenerator<void> {
  const next = (afterMs: number) => packNext(pool, sensorId, age, afterMs);
  let packedMs = await next(Number.MIN_SAFE_INTEGER);
  while (packedMs !== undefined) {
    yield;
    packedMs = await next(packedMs);
  }
}

/**
 * Packs the oldest rows after a date. Deleted rows before it may still be in the way, so they are not read again.
 * Returns the date of the last that it packed; undefined if there is nothing to pack.
 */
async function packNext(pool: Pool, sensorId: number, age: Age, afterMs: number): Promise<number | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      return await inPoolTransaction(pool, (connection) => packOldest(connection, sensorId, age, afterMs));
    } catch (error) {
      if (!(error instanceof LatePoint)) throw error;
    }
  }
  return undefined; // the next round packs them
}

async function packOldest(
  connection: PoolConnection,
  sensorId: number,
  { beforeMs, ageMs }: Age,
  afterMs: number,
): Promise<number | undefined> {
  const keys = await lockOldRows(connection, sensorId, afterMs, beforeMs);
  const isOld = (keys[0]?.dateMs ?? beforeMs) < beforeMs - (WAITS_FOR_MORE - 1) * ageMs;
  if (keys.length < MOST_POINTS && !isOld) return undefined;
  const [first, ...others] = await readWithin(connection, sensorId, keys);
  if (!first) return undefined;
  return pack(connection, sensorId, [first, ...others]);
}

/** A row whose long value is not read yet. */
type OldRow = Omit<ChunkPoint, 'value'> & { value: string | null; bytes: number };

/** Locks the oldest rows between two dates, up to the size of a chunk, and leaves out the newest rows of the sensor. */
async function lockOldRows(
  connection: PoolConnection,
  sensorId: number,
  afterMs: number,
  beforeMs: number,
): Promise<OldRow[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT date_ms AS dateMs, IF(LENGTH(value) <= ?, value, NULL) AS value, LENGTH(value) AS bytes, delay_s AS delayS
     FROM data_points WHERE sensor_id = ? AND date_ms > ? AND date_ms < ? ORDER BY date_ms LIMIT ? FOR UPDATE`,
    [SHORT_BYTES, sensorId, afterMs, beforeMs, MOST_POINTS],
  );
  // Read with the locks held: a deletion of the newest rows has then been committed, or will see what this packs.
  const [[newest]] = await connection.query<RowDataPacket[]>(
    'SELECT date_ms AS dateMs FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT 1 OFFSET ?',
    [sensorId, NEWEST_AS_ROWS - 1],
  );
  const keys = rows.map(({ dateMs, value, bytes, delayS }) => {
    return { dateMs: Number(dateMs), value, bytes: Number(bytes), delayS: Number(delayS) };
  });
  return keys.filter(({ dateMs }) => newest && dateMs < Number(newest.dateMs));
}

/** The first of these rows, as many as fit into a chunk, with their values. */
async function readWithin(
  connection: PoolConnection,
  sensorId: number,
  rows: readonly OldRow[],
): Promise<ChunkPoint[]> {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += row.bytes;
    return at > 0 && bytes > MOST_BYTES;
  });
  const fitting = end < 0 ? rows : rows.slice(0, end);
  const keys = fitting.flatMap(({ dateMs, value }) => (value === null ? [{ sensorId, dateMs }] : []));
  const long = keys.length === 0 ? undefined : await readValues(connection, keys);
  return fitting.map(({ dateMs, value, delayS }) => {
    return { dateMs, value: value ?? long?.get(nameOf({ sensorId, dateMs })) ?? '', delayS };
  });
}

/** Packs the first of these rows, and returns the date of the last that it packed. */
async function pack(
  connection: PoolConnection,
  sensorId: number,
  rows: [ChunkPoint, ...ChunkPoint[]],
): Promise<number | undefined> {
  const [first] = rows;
  const { before, after } = await lockNeighbours(connection, sensorId, first.dateMs);
  if (after && after.firstMs <= first.dateMs) {
    // The place of the first row is in this chunk.
    const own = rows.filter(({ dateMs }) => dateMs <= after.lastMs);
    return replace(connection, sensorId, { chunk: after, rows: own, points: merged(openChunk(after).all(), own) });
  }
  const free = rows.filter(({ dateMs }) => dateMs < (after?.firstMs ?? Number.POSITIVE_INFINITY));
  const joined = before && hasRoom(before, first) ? openChunk(before).all() : [];
  const [points = []] = chunksOf([...joined, ...free]);
  if (points.length > joined.length) {
    const own = points.slice(joined.length);
    return replace(connection, sensorId, { chunk: joined.length > 0 ? before : undefined, rows: own, points });
  }
  const [alone = []] = chunksOf(free);
  return replace(connection, sensorId, { rows: alone, points: alone });
}

/** The chunk that ends before a date, and the one that ends at it or later. */
async function lockNeighbours(connection: PoolConnection, sensorId: number, dateMs: number) {
  const before = await lockLastChunk(connection, sensorId, dateMs);
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND last_ms >= ?
     ORDER BY last_ms LIMIT 1 FOR UPDATE`,
    [sensorId, dateMs],
  );
  return { before, after: rows.map(toChunk)[0] };
}

/** A chunk with room for as many points as it has itself, so that no point is packed again and again. */
function hasRoom({ count, firstMs }: ChunkRow, { dateMs }: ChunkPoint): boolean {
  return count <= MOST_POINTS / 2 && dateMs - firstMs < LONGEST_CHUNK_MS;
}

/** The points of a chunk with rows in between; a row replaces a point of the same date. */
function merged(points: readonly ChunkPoint[], rows: readonly ChunkPoint[]): ChunkPoint[] {
  const byDate = new Map([...points, ...rows].map((point) => [point.dateMs, point]));
  return [...byDate.values()].sort((a, b) => a.dateMs - b.dateMs);
}

interface Replacement {
  /** The chunk that goes. */
  chunk?: ChunkRow;
  /** The rows that go. */
  rows: readonly ChunkPoint[];
  /** The points to store as chunks instead. */
  points: readonly ChunkPoint[];
}

async function replace(
  connection: PoolConnection,
  sensorId: number,
  { chunk, rows, points }: Replacement,
): Promise<number | undefined> {
  if (chunk) await deleteChunk(connection, chunk);
  for (const part of chunksOf(points)) await insertChunk(connection, sensorId, part);
  await deleteLockedRows(connection, sensorId, rows);
  return rows.at(-1)?.dateMs;
}

/**
 * Cuts points, in order of date, into chunks of about the same number. Where there are many points a day (UTC), a chunk
 * ends with its day, so that days are answered from the heads of chunks.
 */
function chunksOf(points: readonly ChunkPoint[]): ChunkPoint[][] {
  const most = Math.ceil(points.length / Math.ceil(points.length / MOST_POINTS));
  const chunks: ChunkPoint[][] = [];
  let [bytes, firstMs] = [0, 0];
  for (const [at, point] of points.entries()) {
    const more = Buffer.byteLength(point.value);
    const chunk = chunks.at(-1) ?? [];
    const isFull = chunk.length >= most || bytes + more > MOST_BYTES || point.dateMs - firstMs > LONGEST_CHUNK_MS;
    const isNewDay = dayOf(point.dateMs) !== dayOf(firstMs);
    const isOfMany = chunk.length >= MANY_POINTS || dayOf(points[at + MANY_POINTS - 1]?.dateMs) === dayOf(point.dateMs);
    if (chunk.length > 0 && !isFull && !(isNewDay && isOfMany)) {
      chunk.push(point);
      bytes += more;
    } else {
      chunks.push([point]);
      [bytes, firstMs] = [more, point.dateMs];
    }
  }
  return chunks;
}

function dayOf(dateMs = Number.NaN): number {
  return Math.floor(dateMs / DAY_MS);
}

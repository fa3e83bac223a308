import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { isDeadlock } from '../../storage/mysql-errors';
import { inPoolTransaction } from '../../storage/transaction';
import type { ChunkPoint } from './chunk/chunk';
import { CHUNK_COLUMNS, type ChunkRow, LONGEST_CHUNK_MS, type NewChunk, openChunk, toChunk } from './chunk-rows';
import { deleteChunk, deleteLockedRows, insertChunk, LatePoint, lockLastChunk } from './chunk-writes';
import { SHORT_BYTES } from './cursor-reads';
import { chunksOf, isHalfFull, MOST_POINTS, MOST_VALUE_BYTES, pointsToFill } from './new-chunks';
import { NEWEST_AS_ROWS } from './newest-rows';
import { nameOf, readValues } from './point-values';

/** How often late points may come between the rows while they are packed, or a deadlock end it. */
const MOST_TRIES = 10;
/** Rows that do not fill a chunk are packed when they are this many times older than the age of packing. */
const WAITS_FOR_MORE = 8;

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
 * At most `most` sensors with ids from `from` to below `end` whose oldest rows fill a chunk, or are old enough without
 * filling one.
 */
export async function findSensorsToPack(
  pool: Pool,
  { from, end }: { from: number; end: number },
  { beforeMs, ageMs }: Age,
  most: number,
): Promise<number[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT s.id FROM sensors s WHERE s.id >= ? AND s.id < ? AND (
       EXISTS (SELECT 1 FROM data_points p WHERE p.sensor_id = s.id AND p.date_ms < ?)
       OR (SELECT p.date_ms FROM data_points p WHERE p.sensor_id = s.id ORDER BY p.date_ms LIMIT 1 OFFSET ?) < ?)
     ORDER BY s.id LIMIT ?`,
    [from, end, beforeMs - (WAITS_FOR_MORE - 1) * ageMs, MOST_POINTS - 1, beforeMs, most],
  );
  return rows.map(({ id }) => Number(id));
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
      if (!(error instanceof LatePoint) && !isDeadlock(error)) throw error;
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
  const most = await pointsOfNextChunk(connection, sensorId);
  const keys = await lockOldRows(connection, sensorId, { afterMs, beforeMs, most });
  const isOld = (keys[0]?.dateMs ?? beforeMs) < beforeMs - (WAITS_FOR_MORE - 1) * ageMs;
  if (keys.length < most && !isOld) return undefined;
  const [first, ...others] = await readWithin(connection, sensorId, keys);
  if (!first) return undefined;
  return pack(connection, sensorId, [first, ...others]);
}

/** Estimates how many points fill the next chunk of a sensor, from the size of its last chunk. */
async function pointsOfNextChunk(connection: PoolConnection, sensorId: number): Promise<number> {
  const [[last]] = await connection.query<RowDataPacket[]>(
    'SELECT points, LENGTH(body) AS bytes FROM data_chunks WHERE sensor_id = ? ORDER BY last_ms DESC LIMIT 1',
    [sensorId],
  );
  if (!last) return MOST_POINTS;
  const size = { points: Number(last.points), bytes: Number(last.bytes) };
  return isHalfFull(size) ? Math.min(MOST_POINTS, pointsToFill(size)) : MOST_POINTS;
}

/** A row whose long value is not read yet. */
type OldRow = Omit<ChunkPoint, 'value'> & { value: string | null; bytes: number };

/** Locks the oldest rows between two dates, `most` at most, and leaves out the newest rows of the sensor. */
async function lockOldRows(
  connection: PoolConnection,
  sensorId: number,
  { afterMs, beforeMs, most }: { afterMs: number; beforeMs: number; most: number },
): Promise<OldRow[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT date_ms AS dateMs, IF(LENGTH(value) <= ?, value, NULL) AS value, LENGTH(value) AS bytes, delay_s AS delayS
     FROM data_points WHERE sensor_id = ? AND date_ms > ? AND date_ms < ? ORDER BY date_ms LIMIT ? FOR UPDATE`,
    [SHORT_BYTES, sensorId, afterMs, beforeMs, most],
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

/** The first of these rows, up to the maximum bytes of the values of a chunk, with their values. */
async function readWithin(
  connection: PoolConnection,
  sensorId: number,
  rows: readonly OldRow[],
): Promise<ChunkPoint[]> {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += row.bytes;
    return at > 0 && bytes > MOST_VALUE_BYTES;
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
    const chunks = [...chunksOf(merged(openChunk(after).all(), own))];
    return replace(connection, sensorId, { chunk: after, rows: own, chunks });
  }
  const free = rows.filter(({ dateMs }) => dateMs < (after?.firstMs ?? Number.POSITIVE_INFINITY));
  if (before && hasRoom(before, first)) {
    const joined = openChunk(before).all();
    const [chunk] = chunksOf([...joined, ...free]);
    const own = chunk?.points.slice(joined.length) ?? [];
    if (chunk && own.length > 0) return replace(connection, sensorId, { chunk: before, rows: own, chunks: [chunk] });
  }
  const [chunk] = chunksOf(free);
  return chunk && replace(connection, sensorId, { rows: chunk.points, chunks: [chunk] });
}

/** The chunk that ends before a date, and the one that ends at it or later. */
async function lockNeighbours(connection: PoolConnection, sensorId: number, dateMs: number) {
  const [before, [rows]] = await Promise.all([
    lockLastChunk(connection, sensorId, dateMs),
    connection.query<RowDataPacket[]>(
      `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ? AND last_ms >= ?
       ORDER BY last_ms LIMIT 1 FOR UPDATE`,
      [sensorId, dateMs],
    ),
  ]);
  return { before, after: rows.map(toChunk)[0] };
}

/** A chunk with room for as many points as it has itself, so that no point is packed again and again. */
function hasRoom({ count, body, firstMs }: ChunkRow, { dateMs }: ChunkPoint): boolean {
  return !isHalfFull({ points: count, bytes: body.length }) && dateMs - firstMs < LONGEST_CHUNK_MS;
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
  /** The chunks to store instead. */
  chunks: readonly NewChunk[];
}

async function replace(
  connection: PoolConnection,
  sensorId: number,
  { chunk, rows, chunks }: Replacement,
): Promise<number | undefined> {
  if (chunk) await deleteChunk(connection, chunk);
  for (const one of chunks) await insertChunk(connection, sensorId, one);
  await deleteLockedRows(connection, sensorId, rows);
  return rows.at(-1)?.dateMs;
}

import type { RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../rules/parts-of';
import type { TimeRange } from '../rules/time-range';
import type { Reader } from '../storage/read-pool';
import { CHUNK_COLUMNS, reachesInto, toChunk } from './chunk-rows';
import type { Run, StoredRow } from './runs';
import { SensorCursor } from './sensor-cursor';

/** A point of the order. `value` is null if it is long; `readValues` reads it by its key. */
export interface OrderedPoint {
  sensorId: number;
  dateMs: number;
  bytes: number;
  value: string | null;
}

/** The order of points: by date, then by sensor. `most`: how many of each sensor are needed. */
export interface Order extends TimeRange {
  isDescending: boolean;
  most?: number;
}

/** Maximum number of points, of all sensors together, that are read ahead from rows. */
const ROWS_AHEAD = 5_000;
const MOST_ROWS_OF_A_SENSOR = 1_000;
const LEAST_ROWS_OF_A_SENSOR = 20;
const CHUNKS_AHEAD = 64;
/** Maximum number of sensors of one statement. */
const SENSORS_PER_READ = 50;
/** Longer values are read by their keys, some at a time. */
export const SHORT_BYTES = 1_024;
const ROW_COLUMNS = `sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes, value LIKE '{%' AS mayBeObject,
  IF(LENGTH(value) <= ${SHORT_BYTES}, value, NULL) AS value`;

/** Reads the points of one sensor as runs: consecutive points from rows or from a chunk. */
export async function* readRuns(from: Reader, sensorId: number, order: Order): AsyncGenerator<Run> {
  const cursor = new SensorCursor(sensorId, order, order.isDescending);
  for (;;) {
    await fill(from, [cursor], order);
    const run = cursor.run();
    if (!run) return;
    yield run;
    cursor.leave(run.dateMs(run.length - 1));
  }
}

/** Reads the points of all sensors in one order, in batches of a few thousand at most. */
export async function* readInOrder(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
): AsyncGenerator<OrderedPoint[]> {
  let cursors = cursorsOf(sensorIds, order);
  const most = Math.max(1, Math.ceil(ROWS_AHEAD / cursors.length));
  for (;;) {
    await fill(from, cursors, order);
    const heads = cursors.flatMap((cursor) => {
      const run = cursor.run();
      return run ? [{ cursor, run }] : [];
    });
    if (heads.length === 0) return;
    // Up to this date all points are known.
    const until = heads.reduce((least, { cursor, run }) => {
      return Math.min(least, cursor.distance(run.dateMs(Math.min(run.length, most) - 1)));
    }, Number.POSITIVE_INFINITY);
    const points = heads.flatMap(({ cursor, run }) => pointsUntil(cursor, run, until));
    cursors = heads.map(({ cursor }) => cursor);
    yield heads.length > 1 ? inOrder(points, order.isDescending) : points;
  }
}

/** Reads the first point of each sensor that has one. */
export async function readFirstOfEach(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
): Promise<OrderedPoint[]> {
  const cursors = cursorsOf(sensorIds, order);
  await fill(from, cursors, { ...order, most: 1 });
  return cursors.flatMap((cursor) => {
    const run = cursor.run();
    return run ? [pointOf(cursor, run, 0)] : [];
  });
}

/** Sorts by date, then by sensor. */
export function inOrder(points: OrderedPoint[], isDescending: boolean): OrderedPoint[] {
  const sign = isDescending ? -1 : 1;
  return points.sort((a, b) => sign * (a.dateMs - b.dateMs) || a.sensorId - b.sensorId);
}

function cursorsOf(sensorIds: readonly number[], order: Order): SensorCursor[] {
  return [...new Set(sensorIds)].map((id) => new SensorCursor(id, order, order.isDescending));
}

function pointOf({ sensorId }: SensorCursor, run: Run, at: number): OrderedPoint {
  const { value, bytes } = run.content(at);
  return { sensorId, dateMs: run.dateMs(at), bytes, value };
}

/** Takes the points of the run up to a distance. */
function pointsUntil(cursor: SensorCursor, run: Run, until: number): OrderedPoint[] {
  const points: OrderedPoint[] = [];
  for (let at = 0; at < run.length && cursor.distance(run.dateMs(at)) <= until; at += 1) {
    points.push(pointOf(cursor, run, at));
  }
  const last = points.at(-1);
  if (last) cursor.leave(last.dateMs);
  return points;
}

/** Reads what the cursors want, until the next run of each is known. */
async function fill(from: Reader, cursors: readonly SensorCursor[], { most }: Order): Promise<void> {
  const each = Math.ceil(ROWS_AHEAD / cursors.length);
  const limits = {
    rows: Math.min(most ?? MOST_ROWS_OF_A_SENSOR, MOST_ROWS_OF_A_SENSOR, Math.max(LEAST_ROWS_OF_A_SENSOR, each)),
    chunks: Math.max(1, Math.floor(CHUNKS_AHEAD / cursors.length)),
  };
  for (;;) {
    const empty = cursors.filter(({ wanted }) => wanted);
    if (empty.length === 0) return;
    for (const part of partsOf(empty, SENSORS_PER_READ)) await readWanted(from, part, limits);
  }
}

/** Reads the rows that some of the cursors want, and then the chunks that these and others want. */
async function readWanted(
  from: Reader,
  cursors: readonly SensorCursor[],
  limits: { rows: number; chunks: number },
): Promise<void> {
  const wantRows = cursors.filter(({ wanted }) => wanted?.what === 'rows');
  const rows = await readEach(from, wantRows, (cursor, range) => {
    return `SELECT ${ROW_COLUMNS} FROM data_points WHERE sensor_id = ${cursor.sensorId}
            AND date_ms BETWEEN ${range.startMs} AND ${range.endMs} ORDER BY date_ms ${direction(cursor)} LIMIT ${limits.rows}`;
  });
  for (const cursor of wantRows) {
    const own = rows.get(cursor.sensorId) ?? [];
    const ordered = own.map(toRow).sort((a, b) => cursor.distance(a.dateMs) - cursor.distance(b.dateMs));
    cursor.takeRows(ordered, own.length < limits.rows);
  }
  const wantChunks = cursors.filter(({ wanted }) => wanted?.what === 'chunks');
  const chunks = await readEach(from, wantChunks, (cursor, range) => {
    return `SELECT ${CHUNK_COLUMNS} FROM data_chunks WHERE sensor_id = ${cursor.sensorId}
            AND ${reachesInto(range)} ORDER BY last_ms ${direction(cursor)} LIMIT ${Math.min(cursor.chunksAtOnce, limits.chunks)}`;
  });
  for (const cursor of wantChunks) {
    const own = chunks.get(cursor.sensorId) ?? [];
    const ordered = own.map(toChunk).sort((a, b) => cursor.distance(a.firstMs) - cursor.distance(b.firstMs));
    cursor.takeChunks(ordered, own.length < Math.min(cursor.chunksAtOnce, limits.chunks));
  }
}

/** Runs a statement for each cursor, all in one; the rows by sensor. */
async function readEach(
  from: Reader,
  cursors: readonly SensorCursor[],
  statement: (cursor: SensorCursor, range: TimeRange) => string,
): Promise<Map<number, RowDataPacket[]>> {
  const statements = cursors.flatMap((cursor) => {
    const { wanted } = cursor;
    return wanted ? [`(${statement(cursor, wanted.range)})`] : [];
  });
  if (statements.length === 0) return new Map();
  const [rows] = await from.query<RowDataPacket[]>(statements.join(' UNION ALL '));
  const byId = new Map<number, RowDataPacket[]>();
  for (const row of rows) {
    const own = byId.get(Number(row.sensorId));
    if (own) own.push(row);
    else byId.set(Number(row.sensorId), [row]);
  }
  return byId;
}

function direction({ isDescending }: SensorCursor): 'ASC' | 'DESC' {
  return isDescending ? 'DESC' : 'ASC';
}

function toRow({ dateMs, bytes, value, mayBeObject }: RowDataPacket): StoredRow {
  return { dateMs: Number(dateMs), bytes: Number(bytes), value, mayBeObject: Boolean(mayBeObject) };
}

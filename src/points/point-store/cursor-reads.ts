import type { RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import { partsOf } from '../../platform/parts-of';
import type { Reader } from '../../storage/read-pool';
import { columnsUpTo, reachesInto, toUnopened } from './chunk-rows';
import type { ReadMemory } from './read-memory';
import type { StoredRow } from './runs';
import type { SensorCursor } from './sensor-cursor';

export interface Order extends TimeRange {
  isDescending: boolean;
  /** Values before the offset are not read. */
  page?: { offset: number; limit: number };
}

/** Points of all sensors that are read ahead from rows. */
const ROWS_AHEAD = 5_000;
const MOST_ROWS_OF_A_SENSOR = 1_000;
const LEAST_ROWS_OF_A_SENSOR = 20;
const CHUNKS_AHEAD = 64;
const SENSORS_PER_READ = 50;
/** Longer values are read by their keys. */
export const SHORT_BYTES = 1_024;
/** Short values that a read has ahead, in bytes. */
const ROW_BYTES_AHEAD = 10 * 1024 * 1024;
/** Bodies of chunks that a read has ahead, in bytes. */
const BODY_BYTES_AHEAD = 4 * 1024 * 1024;

export interface Limits {
  rows: number;
  points: number;
  chunks: number;
  shortBytes: number;
  bodyBytes: number;
}

export function limitsOf(cursors: number, { page }: Order): Limits {
  const most = page && page.offset + page.limit;
  const each = Math.max(LEAST_ROWS_OF_A_SENSOR, Math.ceil(ROWS_AHEAD / cursors));
  const rows = Math.min(most ?? MOST_ROWS_OF_A_SENSOR, MOST_ROWS_OF_A_SENSOR, each);
  const points = Math.max(1, Math.min(most ?? ROWS_AHEAD, Math.ceil(ROWS_AHEAD / cursors)));
  const chunks = Math.max(1, Math.floor(CHUNKS_AHEAD / cursors));
  return {
    ...{ rows, points, chunks },
    shortBytes: Math.min(SHORT_BYTES, Math.floor(ROW_BYTES_AHEAD / (rows * cursors))),
    bodyBytes: Math.floor(BODY_BYTES_AHEAD / (chunks * cursors)),
  };
}

export async function fill(
  from: Reader,
  cursors: readonly SensorCursor[],
  memory: ReadMemory,
  limits: Limits,
): Promise<void> {
  for (;;) {
    const empty = cursors.filter(({ wanted }) => wanted);
    if (empty.length === 0) return;
    for (const part of partsOf(empty, SENSORS_PER_READ)) {
      await readWantedRows(from, part, limits);
      await readWantedChunks(from, part, memory, limits);
    }
  }
}

async function readWantedRows(
  from: Reader,
  cursors: readonly SensorCursor[],
  { rows: most, shortBytes }: Limits,
): Promise<void> {
  const wantRows = cursors.filter(({ wanted }) => wanted?.what === 'rows');
  const rows = await readEach(from, wantRows, (cursor, range) => {
    return `SELECT ${rowColumns(shortBytes)} FROM data_points WHERE sensor_id = ${cursor.sensorId}
            AND date_ms BETWEEN ${range.startMs} AND ${range.endMs} ORDER BY date_ms ${direction(cursor)} LIMIT ${most}`;
  });
  for (const cursor of wantRows) {
    const own = rows.get(cursor.sensorId) ?? [];
    const ordered = own.map(toRow).sort((a, b) => cursor.distance(a.dateMs) - cursor.distance(b.dateMs));
    cursor.takeRows(ordered, own.length < most);
  }
}

/** Must follow the rows: see SensorCursor. */
async function readWantedChunks(
  from: Reader,
  cursors: readonly SensorCursor[],
  memory: ReadMemory,
  limits: Limits,
): Promise<void> {
  const wantChunks = cursors.filter(({ wanted }) => wanted?.what === 'chunks');
  const mostOf = ({ chunksAtOnce }: SensorCursor) => Math.min(chunksAtOnce, limits.chunks);
  const chunks = await readEach(from, wantChunks, (cursor, range) => {
    return `SELECT ${columnsUpTo(limits.bodyBytes)} FROM data_chunks WHERE sensor_id = ${cursor.sensorId}
            AND ${reachesInto(range)} ORDER BY last_ms ${direction(cursor)} LIMIT ${mostOf(cursor)}`;
  });
  for (const cursor of wantChunks) {
    const own = chunks.get(cursor.sensorId) ?? [];
    const ordered = own.map(toUnopened).sort((a, b) => cursor.distance(a.firstMs) - cursor.distance(b.firstMs));
    cursor.takeChunks(ordered, own.length < mostOf(cursor));
    await memory.pauseIfDue();
  }
}

function rowColumns(shortBytes: number): string {
  return `sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes, value LIKE '{%' AS mayBeObject,
    IF(LENGTH(value) <= ${shortBytes}, value, NULL) AS value`;
}

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

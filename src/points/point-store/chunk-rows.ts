import { deflateSync, inflateSync } from 'node:zlib';
import type { RowDataPacket } from 'mysql2/promise';
import { numberIn } from '../../edge/number-in';
import type { TimeRange } from '../../edge/time-range';
import { type ChunkBytes, type ChunkPoint, writeChunk } from './chunk/chunk';
import { ChunkPoints } from './chunk/chunk-points';
import { doubleColumn } from './double-column';

/** Longest time from the first to the last point of a chunk, so that a range finds chunks by their key. */
export const LONGEST_CHUNK_MS = 31 * 86_400_000;
/** Values have fewer characters, unless there is only one. */
const MOST_BYTES = 8 * 1024 * 1024;

export interface ChunkHead {
  sensorId: number;
  firstMs: number;
  lastMs: number;
  count: number;
}

export interface Summary {
  low: number;
  high: number;
  total: number;
}

export interface ChunkRow extends ChunkHead {
  /** Undefined if a value is no number. */
  summary?: Summary;
  codec: number;
  body: Buffer;
}

/** A chunk of a read of many sensors: a long body is left out. */
export interface UnopenedChunk extends Omit<ChunkRow, 'body'> {
  body: Buffer | null;
}

/**
 * Format of the bytes: zlib (RFC 1950), which ends with a checksum. Numbers of codecs are never used again, so that old
 * chunks stay readable.
 */
const CODECS: Readonly<Record<number, (body: Buffer) => ChunkBytes>> = {
  1: (body) => ({ columns: inflate(body) }),
  2: (body) => {
    const columnsFrom = 4 + body.readUInt32BE();
    return { lowestOfDates: inflate(body.subarray(4, columnsFrom)), columns: inflate(body.subarray(columnsFrom)) };
  },
};
const WRITTEN_CODEC = 2;

export const CHUNK_FIELDS = 'sensor_id, first_ms, last_ms, points, low, high, total, codec, body';
export const HEAD_COLUMNS = 'sensor_id AS sensorId, first_ms AS firstMs, last_ms AS lastMs, points AS count';
const SUMMARY_COLUMNS = ['low', 'high', 'total'].map((name) => doubleColumn(name)).join(', ');
export const CHUNK_COLUMNS = `${HEAD_COLUMNS}, ${SUMMARY_COLUMNS}, codec, body`;

/** Selects an `UnopenedChunk`. Only chunks of a single point are longer than a few KB. */
export function columnsUpTo(bytes: number): string {
  return `${HEAD_COLUMNS}, ${SUMMARY_COLUMNS}, codec, IF(points > 1 OR LENGTH(body) <= ${bytes}, body, NULL) AS body`;
}

/**
 * The key of a chunk is the date of its last point, so that a range of the newest dates meets no others. Chunks of a
 * sensor do not overlap.
 */
export function reachesInto({ startMs, endMs }: TimeRange): string {
  return `last_ms BETWEEN ${startMs} AND ${endMs + LONGEST_CHUNK_MS} AND first_ms <= ${endMs}`;
}

export function toHead({ sensorId, firstMs, lastMs, count }: RowDataPacket): ChunkHead {
  return { sensorId: Number(sensorId), firstMs: Number(firstMs), lastMs: Number(lastMs), count: Number(count) };
}

export function toChunk(row: RowDataPacket): ChunkRow {
  return { ...toUnopened(row), body: row.body };
}

export function toUnopened(row: RowDataPacket): UnopenedChunk {
  const { codec, body, low, high, total } = row;
  const summary = low === null ? undefined : { low: Number(low), high: Number(high), total: Number(total) };
  return { ...toHead(row), codec: Number(codec), body, summary };
}

/** The bytes have changed since they were written, or a later release wrote them. */
export class DamagedChunk extends Error {}

/** Throws DamagedChunk. */
export function openChunk({ codec, body, sensorId, firstMs }: ChunkRow): ChunkPoints {
  try {
    const open = CODECS[codec];
    if (!open) throw new Error(`this release does not know the codec ${codec}`);
    return new ChunkPoints(open(body));
  } catch (cause) {
    throw new DamagedChunk(`sensor ${sensorId}: the chunk that begins at ${firstMs} cannot be read`, { cause });
  }
}

export interface NewChunk {
  points: readonly ChunkPoint[];
  body: Buffer;
}

/** Writes codec 2: the size of the first part, then both parts. */
export function encodeChunk(points: readonly ChunkPoint[]): NewChunk {
  const { columns, lowestOfDates } = writeChunk(points);
  const lowest = deflateSync(lowestOfDates);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(lowest.length);
  return { points, body: Buffer.concat([size, lowest, deflateSync(columns)]) };
}

export function chunkValues(sensorId: number, { points, body }: NewChunk): readonly (number | Buffer | null)[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new RangeError('a chunk has at least one point');
  const { low = null, high = null, total = null } = summaryOf(points.map(({ value }) => numberIn(value))) ?? {};
  return [sensorId, first.dateMs, last.dateMs, points.length, low, high, total, WRITTEN_CODEC, body];
}

function inflate(bytes: Buffer): Buffer {
  const inflated = inflateSync(bytes, { maxOutputLength: MOST_BYTES });
  // Copied: zlib's own buffer is larger, and would be held as long as the chunk is open.
  const exact = Buffer.allocUnsafeSlow(inflated.length);
  inflated.copy(exact);
  return exact;
}

/** Undefined if one is no number. -0 counts as 0, as MySQL stores it. */
export function summaryOf(numbers: readonly (number | undefined)[]): Summary | undefined {
  const summary = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, total: 0 };
  for (const number of numbers) {
    if (number === undefined) return undefined;
    summary.low = Math.min(summary.low, number + 0);
    summary.high = Math.max(summary.high, number + 0);
    summary.total += number;
  }
  return summary;
}

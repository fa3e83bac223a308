import type { ChunkPoint } from './chunk/chunk';
import { encodeChunk, LONGEST_CHUNK_MS, type NewChunk } from './chunk-rows';

/** Maximum number of points of a chunk. */
export const MOST_POINTS = 1_440;
/** Maximum number of bytes of the values of a chunk with several points, before compression. */
export const MOST_VALUE_BYTES = 262_144;
/** Maximum number of stored bytes of a chunk with several points. Four such chunks fill a page of InnoDB. */
const MOST_STORED_BYTES = 3_700;
/** Target number of stored bytes. It is below the maximum, because the next points may compress a little worse. */
const TARGET_STORED_BYTES = 3_550;
/** Number of points a day from which chunks end with their day. */
const MANY_POINTS = 720;
const DAY_MS = 86_400_000;

/** Numbers of points and of stored bytes of a chunk. */
export interface ChunkSize {
  points: number;
  bytes: number;
}

/**
 * Cuts points, in order of date, into chunks. Encodes a chunk when the caller asks for it. Chunks of dense points end
 * with their day (UTC), so that the heads of chunks answer reads by the day.
 */
export function* chunksOf(points: readonly ChunkPoint[]): Generator<NewChunk, undefined> {
  const spanMs = (points.at(-1)?.dateMs ?? 0) - (points[0]?.dateMs ?? 0);
  const endsWithDay = points.length >= MANY_POINTS * (spanMs / DAY_MS);
  for (let rest = points; rest.length > 0; ) {
    const chunk = chunkWithin(rest.slice(0, lengthOfFirst(rest, endsWithDay)));
    yield chunk;
    rest = rest.slice(chunk.points.length);
  }
}

/** Estimates how many points fill a chunk. Assumes that the points compress as well as the points of a known chunk. */
export function pointsToFill({ points, bytes }: ChunkSize): number {
  return Math.max(1, Math.floor((points * TARGET_STORED_BYTES) / bytes));
}

/** True if a chunk has more than half of the maximum number of points or of stored bytes. */
export function isHalfFull({ points, bytes }: ChunkSize): boolean {
  return points > MOST_POINTS / 2 || bytes > MOST_STORED_BYTES / 2;
}

/** The number of points of the first chunk. If the maximum number of points divides them, the chunks have equal length. */
function lengthOfFirst(points: readonly ChunkPoint[], endsWithDay: boolean): number {
  const most = Math.ceil(points.length / Math.ceil(points.length / MOST_POINTS));
  const [firstMs, day] = [points[0]?.dateMs ?? 0, dayOf(points[0]?.dateMs ?? 0)];
  let bytes = 0;
  const end = points.findIndex(({ dateMs, value }, at) => {
    bytes += Buffer.byteLength(value);
    if (at === 0) return false;
    const isFull = at === most || bytes > MOST_VALUE_BYTES || dateMs - firstMs > LONGEST_CHUNK_MS;
    return isFull || (endsWithDay && dayOf(dateMs) !== day);
  });
  return end < 0 ? points.length : end;
}

/** Encodes all points, or as many of the first points as fit into a chunk. */
function chunkWithin(points: readonly ChunkPoint[]): NewChunk {
  const chunk = encodeChunk(points);
  if (chunk.body.length <= MOST_STORED_BYTES || points.length === 1) return chunk;
  return chunkWithin(points.slice(0, pointsToFill({ points: points.length, bytes: chunk.body.length })));
}

function dayOf(dateMs: number): number {
  return Math.floor(dateMs / DAY_MS);
}

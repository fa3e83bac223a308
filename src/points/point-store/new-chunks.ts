import type { ChunkPoint } from './chunk/chunk';
import { encodeChunk, LONGEST_CHUNK_MS, type NewChunk } from './chunk-rows';

export const MOST_POINTS = 1_440;
/** Values of a chunk with several points, in bytes before compression. */
export const MOST_VALUE_BYTES = 262_144;
/** Stored bytes of a chunk with several points: four such chunks fill a page of InnoDB. */
const MOST_STORED_BYTES = 3_700;
/** Below the maximum, because the next points may compress a little worse. */
const TARGET_STORED_BYTES = 3_550;
/** Points a day from which chunks end with their day. */
const MANY_POINTS = 720;
const DAY_MS = 86_400_000;

export interface ChunkSize {
  points: number;
  bytes: number;
}

/**
 * Encodes chunks on demand. Chunks of dense points end with their day (UTC), so that heads of chunks answer reads by
 * the day.
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

/** Assumes that points compress as well as those of a known chunk. */
export function pointsToFill({ points, bytes }: ChunkSize): number {
  return Math.max(1, Math.floor((points * TARGET_STORED_BYTES) / bytes));
}

export function isHalfFull({ points, bytes }: ChunkSize): boolean {
  return points > MOST_POINTS / 2 || bytes > MOST_STORED_BYTES / 2;
}

/** Chunks have equal length if the maximum divides the points. */
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

function chunkWithin(points: readonly ChunkPoint[]): NewChunk {
  const chunk = encodeChunk(points);
  if (chunk.body.length <= MOST_STORED_BYTES || points.length === 1) return chunk;
  return chunkWithin(points.slice(0, pointsToFill({ points: points.length, bytes: chunk.body.length })));
}

function dayOf(dateMs: number): number {
  return Math.floor(dateMs / DAY_MS);
}

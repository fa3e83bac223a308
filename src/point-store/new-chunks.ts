import type { ChunkPoint } from '../rules/chunk/chunk';
import { bodyOf, LONGEST_CHUNK_MS } from './chunk-rows';

/** Maximum number of points of a chunk, and of bytes of their values, unless there is only one. */
export const MOST_POINTS = 1_440;
export const MOST_BYTES = 262_144;
/** Maximum number of bytes of a chunk as it is stored, unless it has one point: four such rows fill a page of InnoDB. */
const MOST_STORED_BYTES = 3_700;
/** What a chunk that is full by its bytes should take: the next points may compress a little worse. */
const USUAL_STORED_BYTES = 3_550;
/** Where points are as dense as this many a day, a chunk ends with its day. */
const MANY_POINTS = 720;
const DAY_MS = 86_400_000;

/** Points, in order of date, and the bytes in which a chunk stores them. */
export interface NewChunk {
  points: readonly ChunkPoint[];
  body: Buffer;
}

/** How many points a chunk has, and how many bytes it is stored in. */
export interface ChunkSize {
  points: number;
  bytes: number;
}

/**
 * Cuts points, in order of date, into chunks, and makes each when it is asked for. Where there are many points a day
 * (UTC), a chunk ends with its day, so that days are answered from the heads of chunks.
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

/** The number of points that fill a chunk if they compress as well as those of another one. */
export function pointsToFill({ points, bytes }: ChunkSize): number {
  return Math.max(1, Math.floor((points * USUAL_STORED_BYTES) / bytes));
}

/** True for a chunk with at least as many points, or bytes, as there is room for after it. */
export function isHalfFull({ points, bytes }: ChunkSize): boolean {
  return points > MOST_POINTS / 2 || bytes > MOST_STORED_BYTES / 2;
}

/** The number of points before the first chunk ends. Chunks that the number of points limits are of equal length. */
function lengthOfFirst(points: readonly ChunkPoint[], endsWithDay: boolean): number {
  const most = Math.ceil(points.length / Math.ceil(points.length / MOST_POINTS));
  const [firstMs, day] = [points[0]?.dateMs ?? 0, dayOf(points[0]?.dateMs ?? 0)];
  let bytes = 0;
  const end = points.findIndex(({ dateMs, value }, at) => {
    bytes += Buffer.byteLength(value);
    if (at === 0) return false;
    const isFull = at === most || bytes > MOST_BYTES || dateMs - firstMs > LONGEST_CHUNK_MS;
    return isFull || (endsWithDay && dayOf(dateMs) !== day);
  });
  return end < 0 ? points.length : end;
}

/** A chunk of these points, or of as many of the first ones as should fit. */
function chunkWithin(points: readonly ChunkPoint[]): NewChunk {
  const body = bodyOf(points);
  if (body.length <= MOST_STORED_BYTES || points.length === 1) return { points, body };
  return chunkWithin(points.slice(0, pointsToFill({ points: points.length, bytes: body.length })));
}

function dayOf(dateMs: number): number {
  return Math.floor(dateMs / DAY_MS);
}

import type { components } from './generated/api';

export type PointUpload = components['schemas']['PointUpload'];

export interface BatchOptions {
  /** Points of one request, at most 10,000; 1,000 if not given. */
  size?: number;
}

/**
 * Collects points into batches. Each point gets its date here, so that a batch may be sent again: the same date replaces the
 * point.
 */
export async function* batches(
  points: Iterable<PointUpload> | AsyncIterable<PointUpload>,
  { size = 1_000 }: BatchOptions,
): AsyncGenerator<PointUpload[], void> {
  let batch: PointUpload[] = [];
  let latest = 0;
  for await (const point of points) {
    // Two points without a date in one millisecond are two points.
    if (point.date === undefined) latest = Math.max(Date.now(), latest + 1);
    batch.push({ ...point, date: point.date ?? latest / 1000 });
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

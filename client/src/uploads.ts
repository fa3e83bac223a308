import type { components } from './generated/api';

export type PointUpload = components['schemas']['PointUpload'];

export interface BatchOptions {
  /** Points per request, at most 10,000; 1,000 by default. */
  size?: number;
}

/** The latest date that this program gave to a point of a sensor, in ms, by the sensor's id. */
const givenMs = new Map<string, number>();
const MAX_SENSORS = 10_000;

/**
 * The date of a point without one: now, but later than every date that this program gave to the sensor, so that no
 * point replaces another.
 */
function nextDateMs(sensorId: string): number {
  const dateMs = Math.max(Date.now(), (givenMs.get(sensorId) ?? 0) + 1);
  givenMs.delete(sensorId); // moves the latest sensor to the end
  givenMs.set(sensorId, dateMs);
  const [oldest] = givenMs.keys();
  if (givenMs.size > MAX_SENSORS && oldest !== undefined) givenMs.delete(oldest);
  return dateMs;
}

/**
 * Collects points of a sensor into batches. Each point gets its date here, so that a batch may be sent again: the same
 * date replaces the point.
 */
export async function* batches(
  sensorId: string,
  points: Iterable<PointUpload> | AsyncIterable<PointUpload>,
  { size = 1_000 }: BatchOptions,
): AsyncGenerator<PointUpload[], void> {
  let batch: PointUpload[] = [];
  for await (const point of points) {
    batch.push({ ...point, date: point.date ?? nextDateMs(sensorId) / 1000 });
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

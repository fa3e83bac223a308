import { setImmediate } from 'node:timers/promises';
import type { Page } from '../../edge/paging';
import type { FairSemaphore } from '../../fairness/fair-semaphore';
import { TakesTooLong } from '../../platform/errors';
import { chargedUser } from '../../storage/cancellation';
import type { Reader } from '../../storage/read-pool';
import { dataPointId, type StoredDataPoint } from '../data-points/data-point';
import type { Order } from './cursor-reads';
import type { OrderedChunk } from './ordered-chunk';
import type { PointKey, PointQuery } from './point-statements';
import { nameOf, readValues } from './point-values';
import { inOrder, type OrderedPoint, readFirstKeys, readFirstOfEach, readInOrder } from './points-in-order';

export interface PointReads {
  reads: Reader;
  /** Permits to occupy the process for some ms. */
  computing: FairSemaphore<number>;
}

/** Bytes of the values of a part, unless it may not divide the points of one date. */
const BYTES_OF_A_PART = 1024 * 1024;
const MOST_MS = 10_000;
const SLICE_MS = 5;

/** Merges rows and chunks. Throws TakesTooLong after ten seconds. */
export async function readMergedPage(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<OrderedPoint[]> {
  const { offset, limit } = page;
  if (query.one) return (await readOneOfEach(from.reads, sensorIds, query)).slice(offset, offset + limit);
  const found: OrderedPoint[] = [];
  const order = { ...orderOf(query), page };
  for await (const points of paced(from, readInOrder(from.reads, sensorIds, order))) found.push(...points);
  return found;
}

async function readOneOfEach(reads: Reader, sensorIds: readonly number[], query: PointQuery): Promise<OrderedPoint[]> {
  const points = await readFirstOfEach(reads, sensorIds, { ...orderOf(query), isDescending: query.one === 'last' });
  return inOrder(points, query.descending);
}

/** Returns dates in no order. */
export function readDatesOfEach(
  reads: Reader,
  sensorIds: readonly number[],
  { startMs, endMs, one }: PointQuery,
): Promise<PointKey[]> {
  return readFirstKeys(reads, sensorIds, { startMs, endMs, isDescending: one === 'last' });
}

/** Reads a range in parts of limited size. A date is in one part, unless `dividesDates`. */
export async function* readRange(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
  { dividesDates = false } = {},
): AsyncGenerator<StoredDataPoint[]> {
  for await (const points of readInOrder(reads, sensorIds, orderOf(query))) {
    yield* readPartsOf(reads, points, { dividesDates });
    await setImmediate(); // yields to all other work
  }
}

/** Reads points with values. A point that was deleted meanwhile is left out. */
export async function* readPartsOf(
  reads: Reader,
  points: readonly OrderedPoint[],
  { dividesDates }: { dividesDates: boolean },
): AsyncGenerator<StoredDataPoint[]> {
  let part: OrderedPoint[] = [];
  let bytes = 0;
  for (const point of points) {
    bytes += point.bytes;
    const isBetweenDates = dividesDates || part.at(-1)?.dateMs !== point.dateMs;
    if (bytes > BYTES_OF_A_PART && part.length > 0 && isBetweenDates) {
      yield await withLongValues(reads, part);
      part = [];
      bytes = point.bytes;
    }
    part.push(point);
  }
  if (part.length > 0) yield await withLongValues(reads, part);
}

export async function withLongValues(reads: Reader, points: readonly OrderedPoint[]): Promise<StoredDataPoint[]> {
  const long = points.filter(({ value }) => value === null);
  const ofChunks = await readPlaces(long);
  const byKey = long.filter(({ at }) => !at);
  const values = byKey.length === 0 ? undefined : await readValues(reads, byKey);
  return points.flatMap((point) => {
    const { sensorId, dateMs } = point;
    const value = point.value ?? ofChunks.get(point) ?? values?.get(nameOf(point));
    return value === undefined ? [] : [{ id: dataPointId(dateMs), sensorId, dateMs, value }];
  });
}

async function readPlaces(points: readonly OrderedPoint[]): Promise<ReadonlyMap<OrderedPoint, string>> {
  const byChunk = new Map<OrderedChunk, [OrderedPoint, number][]>();
  for (const point of points) {
    if (!point.at) continue;
    const { chunk, place } = point.at;
    byChunk.set(chunk, [...(byChunk.get(chunk) ?? []), [point, place]]);
  }
  const values = new Map<OrderedPoint, string>();
  for (const [chunk, places] of byChunk) {
    const texts = await chunk.texts(places.map(([, place]) => place));
    places.forEach(([point], index) => {
      values.set(point, texts[index] ?? '');
    });
  }
  return values;
}

export function deadlineOfPage(): number {
  return performance.now() + MOST_MS;
}

/** Waits for a permit of the user after each few ms of work. Throws TakesTooLong after the deadline. */
export async function* paced<T>(
  { computing }: PointReads,
  items: AsyncIterable<T>,
  deadline = deadlineOfPage(),
): AsyncGenerator<T> {
  let worked = 0;
  for await (const item of items) {
    const started = performance.now();
    if (started > deadline) throw new TakesTooLong();
    yield item;
    worked += performance.now() - started;
    if (worked < SLICE_MS) continue;
    await computing.run(chargedUser() ?? 0, async () => setImmediate());
    worked = 0;
  }
}

function orderOf({ startMs, endMs, descending }: PointQuery): Order {
  return { startMs, endMs, isDescending: descending };
}

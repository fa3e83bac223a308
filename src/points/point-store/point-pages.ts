import type { Page } from '../../edge/paging';
import type { Reader } from '../../storage/read-pool';
import type { StoredDataPoint } from '../data-points/data-point';
import { countIntervals, readIntervalParts, readIntervals } from './interval-points';
import { type PointReads, readDatesOfEach } from './merged-points';
import { countStored } from './point-count';
import { isByIntervals, type PointQuery } from './point-statements';
import type { Guard } from './point-values';
import { readStored, readStoredParts } from './stored-points';

export function readPointPage(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  return isByIntervals(query)
    ? readIntervals(from, sensorIds, query, page, guard)
    : readStored(from, sensorIds, query, page, guard);
}

/** Parts are read on demand. A point that was deleted meanwhile is left out. */
export function readPointParts(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[]> {
  return isByIntervals(query)
    ? readIntervalParts(from, sensorIds, query, page)
    : readStoredParts(from, sensorIds, query, page);
}

export async function readLastDate(
  reads: Reader,
  sensorIds: readonly number[],
  query: PointQuery,
): Promise<number | undefined> {
  const last = await readDatesOfEach(reads, sensorIds, { ...query, one: 'last' });
  return last.length === 0 ? undefined : Math.max(...last.map(({ dateMs }) => dateMs));
}

export async function countPoints(from: PointReads, sensorIds: readonly number[], query: PointQuery): Promise<number> {
  if (isByIntervals(query)) return countIntervals(from, sensorIds, query);
  if (query.one) return (await readDatesOfEach(from.reads, sensorIds, query)).length;
  return countStored(from.reads, sensorIds, query);
}

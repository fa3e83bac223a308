import type { RowDataPacket } from 'mysql2/promise';
import type { Page } from '../../edge/paging';
import type { Reader } from '../../storage/read-pool';
import { dataPointId, type StoredDataPoint } from '../data-points/data-point';
import { readEitherWay } from './chunk-presence';
import { type PointReads, readMergedPage, readPartsOf, withLongValues } from './merged-points';
import { type PointQuery, pointStatements } from './point-statements';
import { bytesOf, type Guard, SURE_TO_FIT } from './point-values';
import type { OrderedPoint } from './points-in-order';

export async function readStored(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  const { reads } = from;
  const statements = pointStatements(sensorIds, query, page);
  return readEitherWay(reads, {
    sensorIds,
    range: query,
    ofRows: async () => {
      if (guard && page.limit > SURE_TO_FIT) guard(await bytesOf(reads, statements.bytes));
      const [rows] = await reads.query<RowDataPacket[]>(statements.page);
      return rows.map(({ sensorId, dateMs, value }) => {
        const key = { sensorId: Number(sensorId), dateMs: Number(dateMs) };
        return { id: dataPointId(key.dateMs), ...key, value };
      });
    },
    ofBoth: async () => {
      const points = await readMergedPage(from, sensorIds, query, page);
      if (page.limit > SURE_TO_FIT) guard?.(points.reduce((sum, { bytes }) => sum + bytes, 0));
      return withLongValues(reads, points);
    },
  });
}

/** Parts are read on demand. A point that was deleted meanwhile is left out. */
export async function* readStoredParts(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[]> {
  const points = await readPage(from, sensorIds, query, page);
  yield* readPartsOf(from.reads, points, { dividesDates: true });
}

/** Points of rows have no values yet. */
function readPage(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
  page: Page,
): Promise<OrderedPoint[]> {
  return readEitherWay(from.reads, {
    sensorIds,
    range: query,
    ofRows: () => readSizes(from.reads, pointStatements(sensorIds, query, page).sizes),
    ofBoth: () => readMergedPage(from, sensorIds, query, page),
  });
}

async function readSizes(reads: Reader, statement: string): Promise<OrderedPoint[]> {
  const [rows] = await reads.query<RowDataPacket[]>(statement);
  return rows.map(({ sensorId, dateMs, bytes }) => ({
    sensorId: Number(sensorId),
    dateMs: Number(dateMs),
    bytes: Number(bytes),
    value: null,
    at: undefined,
  }));
}

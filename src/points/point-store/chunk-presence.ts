import type { RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import type { Reader } from '../../storage/read-pool';
import { reachesInto } from './chunk-rows';

/** True if chunks hold points in this range, or between its ends. */
async function hasChunks(from: Reader, sensorIds: readonly number[], range: TimeRange): Promise<boolean> {
  if (sensorIds.length === 0) return false;
  const [found] = await from.query<RowDataPacket[]>(
    `SELECT 1 FROM data_chunks WHERE sensor_id IN (?) AND ${reachesInto(range)} LIMIT 1`,
    [sensorIds],
  );
  return found.length > 0;
}

export interface EitherWay<T> {
  sensorIds: readonly number[];
  range: TimeRange;
  ofRows: () => Promise<T>;
  ofBoth: () => Promise<T>;
}

/** Reads rows alone where there are no chunks, even if points move into chunks meanwhile. */
export async function readEitherWay<T>(from: Reader, { sensorIds, range, ofRows, ofBoth }: EitherWay<T>): Promise<T> {
  if (await hasChunks(from, sensorIds, range)) return ofBoth();
  const read = await ofRows();
  return (await hasChunks(from, sensorIds, range)) ? ofBoth() : read;
}

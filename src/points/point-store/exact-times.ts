import type { RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import type { Reader } from '../../storage/read-pool';
import { exactTimeStatement, type PointKey } from './point-statements';

/** Some servers execute lists of 1,000 or more keys in another way. */
const KEYS_AT_ONCE = 500;

/** `belowNs`: nanoseconds from the date to the time that the sender gave. */
export interface ExactTime extends PointKey {
  belowNs: number;
}

export async function lockExactTimes(connection: Reader, keys: readonly PointKey[]): Promise<ExactTime[]> {
  const ordered = [...keys].sort((a, b) => a.sensorId - b.sensorId || a.dateMs - b.dateMs);
  const parts = await Promise.all(
    partsOf(ordered, KEYS_AT_ONCE).map((part) => connection.query<RowDataPacket[]>(exactTimeStatement(part))),
  );
  return parts.flatMap(([rows]) =>
    rows.map(({ sensorId, dateMs, belowNs }) => {
      return { sensorId: Number(sensorId), dateMs: Number(dateMs), belowNs: Number(belowNs ?? 0) };
    }),
  );
}

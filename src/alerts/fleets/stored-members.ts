import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import { firstNumber, latestArrivals, newestDateSql, newestValueSql } from '../../points';
import { runOn } from '../../storage/transaction';
import type { MemberPoint } from '../rules/fleet';

/** A value has up to 64 KB. */
const AT_ONCE = 100;

/** The latest stored points of sensors; those without points are left out. */
export async function readStoredMembers(
  connection: Pick<PoolConnection, 'query'>,
  sensorIds: readonly number[],
  field: string,
  nowMs: number,
): Promise<Map<number, MemberPoint>> {
  const points = new Map<number, MemberPoint>();
  const fields = [field];
  for (const ids of partsOf(sensorIds, AT_ONCE)) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT s.id, s.data_type AS dataType, ${newestDateSql('s.id')} AS dateMs, ${newestValueSql('s.id')} AS value
       FROM sensors s WHERE s.id IN (?)`,
      [ids],
    );
    const arrivals = await latestArrivals(runOn(connection as PoolConnection), ids, nowMs); // only reads
    const heard = new Map(arrivals.map(({ sensorId, ms }) => [sensorId, ms]));
    for (const { id, dataType, dateMs, value } of rows) {
      const sensorId = Number(id);
      if (dateMs === null || value === null) continue;
      const receivedMs = heard.get(sensorId) ?? nowMs;
      const number = firstNumber({ dataType, fields }, value);
      points.set(sensorId, { sensorId, value: number, dateMs: Number(dateMs), receivedMs });
    }
  }
  return points;
}

import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import type { RunSql } from '../../storage/transaction';

/** The newest 100 points of a sensor are always rows, so that latest values and arrivals need no chunks. */
export const NEWEST_AS_ROWS = 100;

/** The latest arrival need not have the newest date. */
const ARRIVALS_LOOKED_AT = NEWEST_AS_ROWS;
/**
 * Delays are rounded up, and the largest stands for all longer ones: the arrival is too late or now, never too early.
 */
const LATEST_ARRIVAL = `SELECT ? AS sensorId, LEAST(MAX(IF(p.delay_s = 2147483647, ?, p.date_ms + p.delay_s * 1000)), ?) AS ms
  FROM (SELECT date_ms, delay_s FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${ARRIVALS_LOOKED_AT}) p`;

/** SQL for the date in ms of the newest point but `after`; null if there are fewer. `sensorId` is a column. */
export function newestDateSql(sensorId: string, after = 0): string {
  return newestSql('date_ms', sensorId, after);
}

/** SQL for the newest value; null if there is none. `sensorId` is a column. */
export function newestValueSql(sensorId: string): string {
  return newestSql('value', sensorId, 0);
}

function newestSql(column: string, sensorId: string, after: number): string {
  const offset = after > 0 ? ` OFFSET ${after}` : '';
  return `(SELECT p.${column} FROM data_points p WHERE p.sensor_id = ${sensorId} ORDER BY p.date_ms DESC LIMIT 1${offset})`;
}

export async function newestPoint(
  pool: Pool,
  sensorId: number,
): Promise<{ value: string; dateMs: number } | undefined> {
  const [[point]] = await pool.query<(RowDataPacket & { value: string; dateMs: number })[]>(
    'SELECT value, date_ms AS dateMs FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT 1',
    [sensorId],
  );
  return point;
}

/** Takes one look at the index for each sensor, however many points it has. Those without points are left out. */
export async function newestDates(
  connection: PoolConnection,
  sensorIds: readonly number[],
): Promise<Map<number, number>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT s.id, ${newestDateSql('s.id')} AS newestMs FROM sensors s WHERE s.id IN (?)`,
    [sensorIds],
  );
  return new Map(rows.flatMap(({ id, newestMs }) => (newestMs === null ? [] : [[Number(id), Number(newestMs)]])));
}

/** Returns 0 if there is none. */
export async function newestRowIn(connection: PoolConnection, sensorId: number, range: TimeRange): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    'SELECT MAX(date_ms) AS lastMs FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?',
    [sensorId, range.startMs, range.endMs],
  );
  return Number(row?.lastMs ?? 0);
}

/** Returns times in ms; null for a sensor without points. */
export async function latestArrivals(
  run: RunSql,
  sensorIds: readonly number[],
  nowMs: number,
): Promise<{ sensorId: number; ms: number | null }[]> {
  const rows = await run(
    sensorIds.map(() => LATEST_ARRIVAL).join(' UNION ALL '),
    sensorIds.flatMap((id) => [id, nowMs, nowMs, id]),
  );
  return rows.map(({ sensorId, ms }) => ({ sensorId: Number(sensorId), ms: ms === null ? null : Number(ms) }));
}

/** Takes at most 1,000 sensors; those without points are left out. */
export async function newestValues(pool: Pool, sensorIds: readonly number[]): Promise<Map<number, string>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT s.id, ${newestValueSql('s.id')} AS value FROM sensors s WHERE s.id IN (?)`,
    [sensorIds],
  );
  return new Map(rows.flatMap(({ id, value }) => (value === null ? [] : [[Number(id), String(value)] as const])));
}

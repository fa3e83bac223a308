import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { TimeRange } from '../../edge/time-range';
import type { RunSql } from '../../storage/transaction';

/** The newest 100 points of each sensor are always rows, so reads of the latest values and arrivals need no chunks. */
export const NEWEST_AS_ROWS = 100;

/** The latest arrival need not have the newest date; it is looked for among so many points of the newest dates. */
const ARRIVALS_LOOKED_AT = NEWEST_AS_ROWS;
/** Delays are rounded up, and the largest one stands for all longer ones: the arrival is too late or now, never too early. */
const LATEST_ARRIVAL = `SELECT ? AS sensorId, LEAST(MAX(IF(p.delay_s = 2147483647, ?, p.date_ms + p.delay_s * 1000)), ?) AS ms
  FROM (SELECT date_ms, delay_s FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${ARRIVALS_LOOKED_AT}) p`;

/** SQL for the date in ms of a sensor's newest point but `after`; null if there are fewer. `sensorId` is a column. */
export function newestDateSql(sensorId: string, after = 0): string {
  return newestSql('date_ms', sensorId, after);
}

/** SQL for the value of a sensor's newest point; null if there is none. `sensorId` is a column. */
export function newestValueSql(sensorId: string): string {
  return newestSql('value', sensorId, 0);
}

function newestSql(column: string, sensorId: string, after: number): string {
  const offset = after > 0 ? ` OFFSET ${after}` : '';
  return `(SELECT p.${column} FROM data_points p WHERE p.sensor_id = ${sensorId} ORDER BY p.date_ms DESC LIMIT 1${offset})`;
}

/** The newest point of a sensor; undefined if there is none. */
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

/** The dates of the newest points of these sensors until a date. */
export async function newestDates(
  connection: PoolConnection,
  sensorIds: readonly number[],
  untilMs: number,
): Promise<Map<number, number>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT sensor_id AS id, MAX(date_ms) AS newestMs FROM data_points WHERE sensor_id IN (?) AND date_ms <= ?
     GROUP BY sensor_id`,
    [sensorIds, untilMs],
  );
  return new Map(rows.map(({ id, newestMs }) => [Number(id), Number(newestMs)]));
}

/** The newest date of a sensor's rows in a range; 0 if there is none. */
export async function newestRowIn(connection: PoolConnection, sensorId: number, range: TimeRange): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    'SELECT MAX(date_ms) AS lastMs FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ?',
    [sensorId, range.startMs, range.endMs],
  );
  return Number(row?.lastMs ?? 0);
}

/** When the last of each sensor's newest points arrived, in ms; null for a sensor without points. */
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

/** The values of the latest points of these sensors, at most 1,000; sensors without points are left out. */
export async function newestValues(pool: Pool, sensorIds: readonly number[]): Promise<Map<number, string>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT s.id, ${newestValueSql('s.id')} AS value FROM sensors s WHERE s.id IN (?)`,
    [sensorIds],
  );
  return new Map(rows.flatMap(({ id, value }) => (value === null ? [] : [[Number(id), String(value)] as const])));
}

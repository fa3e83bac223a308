import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { ReceivedDataPoint, SensorDataPoint } from '../domain/data-point';
import type { Outage } from '../domain/inactivity';
import { OUTAGE_THRESHOLD_MS } from './heartbeat';

/** One point that waits for its sensor's actor. */
export interface InboxRow extends SensorDataPoint, ReceivedDataPoint {
  id: number;
  storedMs: number;
}

/** What a turn has before it: the oldest rows of the partition, and the sensors with an inactivity that may be due. */
export interface TurnWork {
  rows: InboxRow[];
  dueSensorIds: number[];
  /** Whether the inbox holds more rows than these. */
  hasMore: boolean;
}

const ROWS_PER_TURN = 5_000;
/** This many are read whatever their size; beyond that, only rows that together stay below the limit of bytes. */
const FEW_ROWS = 50;
const BYTES_PER_TURN = 2_000_000;
const DUE_SENSORS_PER_TURN = 1_000;

/** Whose work is meant: all of a partition, or that of one sensor in it. */
export interface TurnScope {
  partition: number;
  sensorId?: number | undefined;
}

/** Locks the partition for this transaction; other turns of it wait. */
export async function lockPartition(connection: PoolConnection, partition: number): Promise<void> {
  const select = 'SELECT partition_no FROM partitions WHERE partition_no = ? FOR UPDATE';
  const [rows] = await connection.query<RowDataPacket[]>(select, [partition]);
  if (rows.length > 0) return;
  await connection.query('INSERT IGNORE INTO partitions (partition_no) VALUES (?)', [partition]);
  await connection.query(select, [partition]);
}

/** Reads what waits. Inactivities are only looked at when every waiting point has been read: data that has arrived is not inactivity. */
export async function readWork(
  connection: PoolConnection,
  scope: TurnScope,
  partitions: number,
  nowMs: number,
): Promise<TurnWork> {
  const { rows, hasMore } = await readRows(connection, scope);
  if (hasMore) return { rows, dueSensorIds: [], hasMore };
  const and = scope.sensorId === undefined ? '' : ' AND sensor_id = ?';
  const [due] = await connection.query<RowDataPacket[]>(
    `SELECT DISTINCT sensor_id AS sensorId FROM sensor_triggers
     WHERE due_at_ms <= ? AND MOD(sensor_id, ?) = ? AND active${and} LIMIT ?`,
    [nowMs, partitions, ...valuesOf(scope), DUE_SENSORS_PER_TURN],
  );
  return { rows, dueSensorIds: due.map((row) => Number(row.sensorId)), hasMore };
}

/** The sensors of a partition for which points wait, or whose inactivity may be due. */
export async function waitingSensors(
  pool: Pool,
  partition: number,
  partitions: number,
  nowMs: number,
): Promise<number[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT sensor_id AS id FROM inbox WHERE partition_no = ?
     UNION SELECT sensor_id FROM sensor_triggers WHERE due_at_ms <= ? AND MOD(sensor_id, ?) = ? AND active`,
    [partition, nowMs, partitions, partition],
  );
  return rows.map((row) => Number(row.id));
}

async function readRows(connection: PoolConnection, scope: TurnScope): Promise<{ rows: InboxRow[]; hasMore: boolean }> {
  const where = scope.sensorId === undefined ? 'partition_no = ?' : 'partition_no = ? AND sensor_id = ?';
  const read = async (columns: string, and: string, values: number[]) => {
    const sql = `SELECT id, ${columns} FROM inbox WHERE ${where} ${and}`;
    return (await connection.query<RowDataPacket[]>(sql, [...valuesOf(scope), ...values]))[0];
  };
  // Its aliases are InboxRow's keys.
  const columns = 'sensor_id AS sensorId, value, date_ms AS dateMs, received_ms AS receivedMs, stored_ms AS storedMs';
  const few = (await read(columns, 'ORDER BY id LIMIT ?', [FEW_ROWS])) as InboxRow[];
  const last = few[FEW_ROWS - 1];
  if (!last) return { rows: few, hasMore: false };
  const limit = ROWS_PER_TURN - FEW_ROWS;
  const sizes = await read('LENGTH(value) AS bytes', 'AND id > ? ORDER BY id LIMIT ?', [last.id, limit]);
  const fitting = sizes.slice(0, countWithin(sizes, BYTES_PER_TURN));
  const upTo = Number(fitting.at(-1)?.id ?? last.id);
  const others = (await read(columns, 'AND id > ? AND id <= ? ORDER BY id', [last.id, upTo])) as InboxRow[];
  return { rows: [...few, ...others], hasMore: fitting.length < sizes.length || sizes.length === limit };
}

function countWithin(sizes: readonly RowDataPacket[], bytes: number): number {
  let sum = 0;
  const end = sizes.findIndex((row) => {
    sum += Number(row.bytes);
    return sum > bytes;
  });
  return end === -1 ? sizes.length : end;
}

function valuesOf({ partition, sensorId }: TurnScope): number[] {
  return sensorId === undefined ? [partition] : [partition, sensorId];
}

/**
 * Until when uploads were provably accepted, and the outages since `fromMs`. Points may come back before the first
 * heartbeat after an outage writes it down: then it is known by them, and ends with the first of them.
 */
export async function readAvailability(
  connection: PoolConnection,
  fromMs: number,
  rows: readonly InboxRow[],
): Promise<{ availableUntilMs: number; outages: Outage[] }> {
  const [beats] = await connection.query<RowDataPacket[]>(
    'SELECT accepting_until_ms AS until FROM heartbeats WHERE id = 1',
  );
  const [outages] = await connection.query<RowDataPacket[]>(
    'SELECT from_ms AS fromMs, to_ms AS toMs FROM outages WHERE to_ms > ? ORDER BY from_ms',
    [fromMs],
  );
  const known = outages as Outage[]; // the aliases are Outage's keys
  const availableUntilMs = Number(beats[0]?.until ?? 0);
  const later = rows.map(({ receivedMs }) => receivedMs).filter((receivedMs) => receivedMs > availableUntilMs);
  const backMs = later.reduce((earliest, receivedMs) => Math.min(earliest, receivedMs), Number.POSITIVE_INFINITY);
  const isUnwritten = later.length > 0 && backMs - availableUntilMs > OUTAGE_THRESHOLD_MS;
  return {
    availableUntilMs,
    outages: isUnwritten ? [...known, { fromMs: availableUntilMs, toMs: backMs }] : known,
  };
}

/** Moves waiting rows to where they belong after a change of the number of partitions, some at a time. */
export async function repartitionInbox(pool: Pool, partitions: number): Promise<void> {
  const sql = `UPDATE inbox SET partition_no = MOD(sensor_id, ?) WHERE partition_no <> MOD(sensor_id, ?) LIMIT ${ROWS_PER_TURN}`;
  let moved: number;
  do {
    const [result] = await pool.query<ResultSetHeader>(sql, [partitions, partitions]);
    moved = result.affectedRows;
  } while (moved === ROWS_PER_TURN);
}

/** Removes the rows that this turn has handled. */
export async function deleteRows(connection: PoolConnection, rows: InboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await connection.query<ResultSetHeader>('DELETE FROM inbox WHERE id IN (?)', [rows.map((row) => row.id)]);
}

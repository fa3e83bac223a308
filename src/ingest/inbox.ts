import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { SensorState } from '../actors/sensor.actor';
import type { Outage } from '../domain/inactivity';
import { OUTAGE_THRESHOLD_MS } from './heartbeat';

/** One point that waits for its sensor's actor. */
export interface InboxRow {
  id: number;
  sensorId: number;
  value: string;
  dateMs: number;
  receivedMs: number;
  storedMs: number;
}

/** What a turn has before it: the oldest rows of the partition, and the sensors with a silence that may be due. */
export interface TurnWork {
  rows: InboxRow[];
  dueSensorIds: number[];
  /** Whether the inbox holds more rows than these. */
  more: boolean;
}

const ROWS_PER_TURN = 5_000;
const DUE_SENSORS_PER_TURN = 1_000;

/** Takes the partition for this transaction; whoever else wants it waits. */
export async function lockPartition(connection: PoolConnection, partition: number): Promise<void> {
  const select = 'SELECT partition_no FROM partitions WHERE partition_no = ? FOR UPDATE';
  const [rows] = await connection.query<RowDataPacket[]>(select, [partition]);
  if (rows.length > 0) return;
  await connection.query('INSERT IGNORE INTO partitions (partition_no) VALUES (?)', [partition]);
  await connection.query(select, [partition]);
}

/** Reads what waits. Silences are only looked at when every waiting point is in hand: what has arrived is no silence. */
export async function readWork(
  connection: PoolConnection,
  partition: number,
  partitions: number,
  nowMs: number,
): Promise<TurnWork> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, sensor_id AS sensorId, value, date_ms AS dateMs, received_ms AS receivedMs, stored_ms AS storedMs
     FROM inbox WHERE partition_no = ? ORDER BY id LIMIT ?`,
    [partition, ROWS_PER_TURN],
  );
  const more = rows.length === ROWS_PER_TURN;
  if (more) return { rows: rows as InboxRow[], dueSensorIds: [], more }; // the aliases above are InboxRow's keys
  const [due] = await connection.query<RowDataPacket[]>(
    `SELECT DISTINCT sensor_id AS sensorId FROM sensor_triggers
     WHERE due_at_ms <= ? AND MOD(sensor_id, ?) = ? AND active LIMIT ?`,
    [nowMs, partitions, partition, DUE_SENSORS_PER_TURN],
  );
  return { rows: rows as InboxRow[], dueSensorIds: due.map((row) => Number(row.sensorId)), more };
}

/** Loads, and locks until the end of the turn, the active triggers of these sensors with their state. */
export async function loadSensors(connection: PoolConnection, sensorIds: number[]): Promise<Map<number, SensorState>> {
  if (sensorIds.length === 0) return new Map();
  const [states] = await connection.query<RowDataPacket[]>(
    'SELECT * FROM sensor_triggers WHERE sensor_id IN (?) AND active ORDER BY sensor_id, trigger_id FOR UPDATE',
    [sensorIds],
  );
  if (states.length === 0) return new Map();
  const triggers = await byId(
    connection,
    'SELECT id, owner_id, name, expression, inactivity FROM triggers WHERE id IN (?)',
    states.map((row) => Number(row.trigger_id)),
  );
  const sensors = await byId(
    connection,
    'SELECT id, name, data_type FROM sensors WHERE id IN (?)',
    states.map((row) => Number(row.sensor_id)),
  );
  const loaded = new Map<number, SensorState>();
  for (const row of states) {
    const sensor = sensors.get(Number(row.sensor_id));
    const trigger = triggers.get(Number(row.trigger_id));
    if (!sensor || !trigger) continue;
    const id = Number(sensor.id);
    const state = loaded.get(id) ?? {
      sensor: { id, name: String(sensor.name), dataType: String(sensor.data_type) },
      triggers: [],
    };
    state.triggers.push({
      sensorTriggerId: Number(row.id),
      triggerId: Number(trigger.id),
      triggerName: String(trigger.name),
      ownerId: Number(trigger.owner_id),
      expression: trigger.expression,
      inactivity: trigger.inactivity,
      state: {
        active: true,
        lastTriggeredMs: row.last_triggered_ms,
        timesTriggered: row.times_triggered,
        lastValue: row.last_data_value,
        lastDateMs: row.last_date_ms,
        lastError: row.last_error,
        silentSinceMs: row.silent_since_ms,
        dueAtMs: row.due_at_ms,
      },
    });
    loaded.set(id, state);
  }
  return loaded;
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

/** Moves waiting rows to where they belong after a change of the number of partitions. */
export async function rehomeInbox(pool: Pool, partitions: number): Promise<void> {
  await pool.query('UPDATE inbox SET partition_no = MOD(sensor_id, ?) WHERE partition_no <> MOD(sensor_id, ?)', [
    partitions,
    partitions,
  ]);
}

/** Removes the rows that this turn has handled. */
export async function deleteRows(connection: PoolConnection, rows: InboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await connection.query<ResultSetHeader>('DELETE FROM inbox WHERE id IN (?)', [rows.map((row) => row.id)]);
}

async function byId(connection: PoolConnection, sql: string, ids: number[]): Promise<Map<number, RowDataPacket>> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [Number(row.id), row]));
}

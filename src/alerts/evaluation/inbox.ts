import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { type InboxBatch, OUTAGE_THRESHOLD_MS, type PassScope, requirePlaced, type WaitingPoint } from '../../points';
import { bucketsOf } from '../../storage/due-buckets';
import { pipelined } from '../../storage/pipeline';
import type { Outage } from '../rules/inactivity';
import { readWaiting, readWaitingSensors, readWaitingSensorsOf } from './waiting-points';

export interface PassWork {
  points: WaitingPoint[];
  batches: InboxBatch[];
  dueSensorIds: number[];
  /** Owners with points that were not read. */
  unreadOwnerIds: readonly number[];
  /** More points wait, of owners who need not wait for their share. */
  hasMore: boolean;
}

const DUE_SENSORS_PER_PASS = 1_000;
/** Times at which the clock decides: on inactivity, and on the condition of the expression. */
const DUE_COLUMNS = ['due_at_ms', 'condition_due_ms'];
/** Whether the clock decides for triggers or for their shadows. */
type DueSource = 'triggers' | 'shadows';
const SHADOWS = 'shadow_states w JOIN sensor_triggers st ON st.id = w.id';

interface Reading {
  partitionCount: number;
  shares: FairShareScheduler;
  nowMs: number;
}

/**
 * The clock decides on a sensor only after all of its waiting points: arrived data comes first. Throws
 * MisplacedBatches.
 */
export async function readWork(connection: PoolConnection, scope: PassScope, reading: Reading): Promise<PassWork> {
  const { shares } = reading;
  const waiting = readWaiting(connection, scope, shares);
  // Pipelined with the first statement of `readWaiting`, which usually reads everything.
  const besidesAll = pipelined(readBesidesAll(connection, scope, reading));
  const { points, batches, unreadOwnerIds, isAll } = await waiting;
  const dueSensorIds = isAll ? await besidesAll : await readBesidesSome(connection, scope, reading, unreadOwnerIds);
  // Owners who have to wait are left to the reconciler.
  const hasMore = unreadOwnerIds.some((ownerId) => shares.rowsFor(ownerId) > 0);
  return { points, batches, dueSensorIds, unreadOwnerIds, hasMore };
}

async function readBesidesAll(connection: PoolConnection, scope: PassScope, reading: Reading): Promise<number[]> {
  const due = readDue(connection, scope, reading, ownersOf(scope, []), 'triggers');
  const [sensorIds] = await Promise.all([due, requirePlaced(connection, reading.partitionCount)]);
  return sensorIds;
}

async function readBesidesSome(
  connection: PoolConnection,
  scope: PassScope,
  reading: Reading,
  unreadOwnerIds: readonly number[],
): Promise<number[]> {
  const sensorIds = await readDueOfAll(connection, scope, reading, unreadOwnerIds, 'triggers');
  // Last: it finds every batch that was committed before any of the rows that were read.
  await requirePlaced(connection, reading.partitionCount);
  return sensorIds;
}

/** Adds the sensors on which the clock may have to decide for shadows. */
export async function withDueShadows(
  connection: PoolConnection,
  scope: PassScope,
  reading: Reading,
  work: PassWork,
): Promise<PassWork> {
  const due = await readDueOfAll(connection, scope, reading, work.unreadOwnerIds, 'shadows');
  return { ...work, dueSensorIds: [...new Set([...work.dueSensorIds, ...due])] };
}

async function readDueOfAll(
  connection: PoolConnection,
  scope: PassScope,
  reading: Reading,
  unreadOwnerIds: readonly number[],
  from: DueSource,
): Promise<number[]> {
  return [
    ...(await readDue(connection, scope, reading, ownersOf(scope, unreadOwnerIds), from)),
    ...(await readDueOfUnread(connection, scope, reading, unreadOwnerIds, from)),
  ];
}

function ownersOf({ ownerIds, exceptOwnerIds = [] }: PassScope, unreadOwnerIds: readonly number[]): DueOwners {
  if (!ownerIds) return { of: 'others', ownerIds: [...exceptOwnerIds, ...unreadOwnerIds] };
  return { of: 'these', ownerIds: ownerIds.filter((id) => !unreadOwnerIds.includes(id)) };
}

interface DueOwners {
  of: 'these' | 'others';
  ownerIds: readonly number[];
}

async function readDue(
  connection: PoolConnection,
  { sensorId, partitions }: PassScope,
  { partitionCount, nowMs }: Reading,
  { of, ownerIds }: DueOwners,
  from: DueSource,
): Promise<number[]> {
  if (of === 'these' && ownerIds.length === 0) return [];
  const only = sensorId === undefined ? '' : 'AND st.sensor_id = ?';
  const join = ownerIds.length === 0 ? '' : 'JOIN sensors s ON s.id = st.sensor_id';
  const owners = ownerIds.length === 0 ? '' : `AND s.owner_id ${of === 'these' ? 'IN' : 'NOT IN'} (?)`;
  const more = [...(sensorId === undefined ? [] : [sensorId]), ...(ownerIds.length === 0 ? [] : [ownerIds])];
  const where = `MOD(st.sensor_id, ?) IN (?) AND st.active ${only} ${owners}`;
  const values = [nowMs, partitionCount, partitions, ...more, DUE_SENSORS_PER_PASS];
  const inBuckets = [bucketsOf(partitions, partitionCount), ...values];
  const part = (column: string) =>
    `SELECT due.sensorId FROM (
       SELECT DISTINCT st.sensor_id AS sensorId FROM sensor_triggers st ${join}
       WHERE st.due_bucket IN (?) AND st.${column} <= ? AND ${where} LIMIT ?) due`;
  const ofShadows = `SELECT DISTINCT st.sensor_id AS sensorId FROM ${SHADOWS} ${join} WHERE w.due_ms <= ? AND ${where} LIMIT ?`;
  const [due] = await (from === 'shadows'
    ? connection.query<RowDataPacket[]>(ofShadows, values)
    : connection.query<RowDataPacket[]>(DUE_COLUMNS.map(part).join(' UNION '), [...inBuckets, ...inBuckets]));
  return due.map((row) => Number(row.sensorId));
}

/** For owners with unread points: only sensors without a waiting point. */
async function readDueOfUnread(
  connection: PoolConnection,
  scope: PassScope,
  reading: Reading,
  ownerIds: readonly number[],
  from: DueSource,
): Promise<number[]> {
  const due = await readDue(connection, scope, reading, { of: 'these', ownerIds }, from);
  if (due.length === 0) return [];
  const waiting = await readWaitingSensorsOf(connection, scope.partitions, ownerIds);
  return waiting ? due.filter((id) => !waiting.has(id)) : [];
}

/** Sensors with waiting points, or on which the clock may have to decide. */
export async function waitingSensors(
  pool: Pool,
  partition: number,
  partitions: number,
  nowMs: number,
): Promise<number[]> {
  const part = (column: string) =>
    `SELECT sensor_id AS id FROM sensor_triggers
     WHERE due_bucket IN (?) AND ${column} <= ? AND MOD(sensor_id, ?) = ? AND active`;
  const values = [bucketsOf([partition], partitions), nowMs, partitions, partition];
  const ofShadows = `SELECT st.sensor_id FROM ${SHADOWS} WHERE w.due_ms <= ? AND MOD(st.sensor_id, ?) = ? AND st.active`;
  const sql = [...DUE_COLUMNS.map(part), ofShadows].join(' UNION ');
  const [due] = await pool.query<RowDataPacket[]>(sql, [...values, ...values, ...values.slice(1)]);
  return [...new Set([...(await readWaitingSensors(pool, partition)), ...due.map(({ id }) => Number(id))])];
}

/** Last proof that uploads were accepted, and the outages that ended after `fromMs`. */
export interface Availability {
  availableUntilMs: number;
  /** When the clock may have to decide for a shadow; infinite if none runs. */
  shadowsDueMs: number;
  outages: readonly Outage[];
  fromMs: number;
}

export async function readAvailability(connection: PoolConnection, fromMs: number): Promise<Availability> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT h.accepting_until_ms AS until, o.from_ms AS fromMs, o.to_ms AS toMs,
       (SELECT MIN(due_ms) FROM shadow_states) AS shadowsMs FROM heartbeats h LEFT JOIN outages o ON o.to_ms > ? WHERE h.id = 1 ORDER BY o.from_ms`,
    [fromMs],
  );
  const outages = rows.filter(({ fromMs: at }) => at !== null).map(({ fromMs: at, toMs }) => ({ fromMs: at, toMs }));
  const shadowsDueMs = Number(rows[0]?.shadowsMs ?? Number.POSITIVE_INFINITY);
  return { availableUntilMs: Number(rows[0]?.until ?? 0), shadowsDueMs, outages, fromMs };
}

/**
 * Points that arrive after an outage may prove it before a heartbeat does. It lasts until the last of them: earlier
 * points may have waited to be stored, so they do not prove that it ended earlier.
 */
export function withUnwrittenOutage(
  { availableUntilMs, outages }: Availability,
  points: readonly WaitingPoint[],
): Pick<Availability, 'availableUntilMs' | 'outages'> {
  const backMs = points.reduce((latest, { receivedMs }) => Math.max(latest, receivedMs), 0);
  if (backMs - availableUntilMs <= OUTAGE_THRESHOLD_MS) return { availableUntilMs, outages };
  return { availableUntilMs, outages: [...outages, { fromMs: availableUntilMs, toMs: backMs }] };
}

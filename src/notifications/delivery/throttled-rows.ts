import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { lockFreeRows } from '../../storage/free-rows';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';

import { NUDGE_COLUMNS, type NudgeRow, nudgeOf } from './delivery-rows';

type IdRow = RowDataPacket & { id: number };

/** Deliveries of a paused receiver wait until it is resumed. */
export const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM paused_receivers o WHERE o.receiver = d.receiver)';

const BY_DELIVERY = 'FORCE INDEX (parked_deliveries_delivery)';

/** How many throttled deliveries of a receiver are wanted. */
export interface WantedThrottled {
  receiver: string;
  count: number;
}

/**
 * Locks for each receiver the wanted number of its first candidates that are still throttled and not locked by another
 * transaction. Returns their ids.
 */
export async function lockThrottled(
  connection: PoolConnection,
  wanted: readonly WantedThrottled[],
  candidates: ReadonlyMap<string, readonly number[]>,
): Promise<number[]> {
  const first = wanted.flatMap(({ receiver, count }) => (candidates.get(receiver) ?? []).slice(0, count));
  const locked = await lockThose(connection, first);
  if (locked.length === first.length) return locked;
  const has = new Set(locked);
  for (const { receiver, count } of wanted) {
    const ids = candidates.get(receiver) ?? [];
    const missing = ids.slice(0, count).filter((id) => !has.has(id)).length;
    if (missing > 0) locked.push(...(await lockThose(connection, ids.slice(count, count + missing))));
  }
  return locked;
}

async function lockThose(connection: PoolConnection, ids: readonly number[]): Promise<number[]> {
  const rows = await lockFreeRows<{ id: number }>(connection, ids, {
    sql: `SELECT delivery_id AS id FROM parked_deliveries ${BY_DELIVERY} WHERE delivery_id IN (?)`,
  });
  return rows.map(({ id }) => id);
}

/**
 * Throttles the given deliveries that are still due, each until its queue has a permit. Writes the row of a delivery and
 * its place in the queue together.
 */
export function throttleRows(pool: Pool, places: readonly ThrottledPlace[], nowMs: number): Promise<void> {
  const ids = places.map(({ deliveryId }) => deliveryId);
  return inPoolTransaction(pool, async (connection) => {
    const [result] = await connection.query<ResultSetHeader>(
      `UPDATE deliveries SET parked_ms = next_attempt_ms, next_attempt_ms = NULL
       WHERE id IN (?) AND status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
      [ids, nowMs, nowMs],
    );
    if (result.affectedRows === 0) return;
    const waiting = result.affectedRows === ids.length ? new Set(ids) : await readThrottled(connection, ids);
    const rows = places.filter(({ deliveryId }) => waiting.has(deliveryId));
    await connection.query(
      'INSERT IGNORE INTO parked_deliveries (receiver, owner_id, priority_rank, delivery_id) VALUES ?',
      [rows.map(({ queue, ownerId, rank, deliveryId }) => [queue, ownerId, rank, deliveryId])],
    );
  });
}

/** The place of a delivery in a queue. The lowest rank of an owner goes first. */
export interface ThrottledPlace {
  deliveryId: number;
  ownerId: number;
  queue: string;
  rank: number;
}

async function readThrottled(connection: PoolConnection, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const [rows] = await connection.query<IdRow[]>(
    "SELECT id FROM deliveries WHERE id IN (?) AND status = 'pending' AND next_attempt_ms IS NULL",
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Ends the waits of deliveries. Names the index: otherwise MySQL may read the whole table, and wait for each row that
 * another transaction has locked.
 */
export async function deleteThrottled(run: RunSql, ids: readonly number[]): Promise<void> {
  await run(`DELETE d FROM parked_deliveries d ${BY_DELIVERY} WHERE d.delivery_id IN (?)`, [ids]);
}

/** Makes throttled deliveries due, whose throttled rows are locked. Returns their nudges, the most urgent first. */
export async function makeDue(
  connection: PoolConnection,
  ids: readonly number[],
  nowMs: number,
): Promise<DeliveryNudge[]> {
  if (ids.length === 0) return [];
  await connection.query(
    `UPDATE deliveries SET next_attempt_ms = ?, parked_ms = NULL
     WHERE id IN (?) AND status = 'pending' AND next_attempt_ms IS NULL`,
    [nowMs, ids],
  );
  await deleteThrottled(runOn(connection), ids);
  const [rows] = await connection.query<(RowDataPacket & NudgeRow)[]>(
    `SELECT ${NUDGE_COLUMNS} FROM deliveries
     WHERE id IN (?) AND status = 'pending' ORDER BY priority DESC, id`,
    [ids],
  );
  return rows.map((row) => ({ ...nudgeOf(row), wasThrottled: true }));
}

import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { lockFreeRows } from '../../storage/free-rows';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';

import { IS_FREE, NUDGE_COLUMNS, type NudgeRow, nudgeOf } from './delivery-rows';

type IdRow = RowDataPacket & { id: number };

const BY_DELIVERY = 'FORCE INDEX (throttled_deliveries_delivery)';

export interface WantedThrottled {
  receiver: string;
  count: number;
}

/** Skips candidates that others have locked, or that are no longer throttled. */
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
    sql: `SELECT delivery_id AS id FROM throttled_deliveries ${BY_DELIVERY} WHERE delivery_id IN (?)`,
  });
  return rows.map(({ id }) => id);
}

/** Throttles deliveries that are still due. */
export function throttleRows(pool: Pool, places: readonly ThrottledPlace[], nowMs: number): Promise<void> {
  const ids = places.map(({ deliveryId }) => deliveryId);
  return inPoolTransaction(pool, async (connection) => {
    const [result] = await connection.query<ResultSetHeader>(
      `UPDATE deliveries SET throttled_ms = next_attempt_ms, next_attempt_ms = NULL
       WHERE id IN (?) AND status = 'pending' AND next_attempt_ms <= ? AND ${IS_FREE}`,
      [ids, nowMs, nowMs],
    );
    if (result.affectedRows === 0) return;
    const waiting = result.affectedRows === ids.length ? new Set(ids) : await readThrottled(connection, ids);
    const rows = places.filter(({ deliveryId }) => waiting.has(deliveryId));
    await connection.query(
      'INSERT IGNORE INTO throttled_deliveries (receiver, owner_id, priority_rank, delivery_id) VALUES ?',
      [rows.map(({ queue, ownerId, rank, deliveryId }) => [queue, ownerId, rank, deliveryId])],
    );
  });
}

/** The lowest rank of an owner goes first. */
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

/** Names the index: otherwise MySQL may read the whole table, and wait for rows that others have locked. */
export async function deleteThrottled(run: RunSql, ids: readonly number[]): Promise<void> {
  await run(`DELETE d FROM throttled_deliveries d ${BY_DELIVERY} WHERE d.delivery_id IN (?)`, [ids]);
}

/** Requires locked rows. Returns nudges, the most urgent first. */
export async function makeDue(
  connection: PoolConnection,
  ids: readonly number[],
  nowMs: number,
): Promise<DeliveryNudge[]> {
  if (ids.length === 0) return [];
  await connection.query(
    `UPDATE deliveries SET next_attempt_ms = ?, throttled_ms = NULL
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

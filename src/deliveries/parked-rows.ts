import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import { lockFreeRows } from '../database/free-rows';
import { WAKE_UP_COLUMNS, type WakeUpRow, wakeUpOf } from './delivery-wake-up';

type IdRow = RowDataPacket & { id: number };

/** Those of a receiver that an operator has paused wait until it is resumed. */
export const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM paused_receivers o WHERE o.receiver = d.receiver)';

/** The ids of the most urgent parked deliveries of a receiver, without locking them; none while it is paused. */
export async function mostUrgentNotPaused(pool: Pool, receiver: string, limit: number): Promise<number[]> {
  const [rows] = await pool.query<IdRow[]>(
    `SELECT d.delivery_id AS id FROM parked_deliveries d WHERE d.receiver = ? AND ${NOT_PAUSED}
     ORDER BY d.priority_rank, d.delivery_id LIMIT ?`,
    [receiver, limit],
  );
  return rows.map(({ id }) => id);
}

/** The ids of the most urgent parked deliveries of each receiver, without locking them. Reads no more rows than it returns. */
export async function mostUrgentOfEach(
  pool: Pool,
  receivers: readonly { receiver: string; count: number }[],
): Promise<number[]> {
  const ofOne = `(SELECT delivery_id AS id FROM parked_deliveries WHERE receiver = ?
                  ORDER BY priority_rank, delivery_id LIMIT ?)`;
  const [rows] = await pool.query<IdRow[]>(
    receivers.map((_, index) => `SELECT id FROM ${ofOne} r${index}`).join(' UNION '),
    receivers.flatMap(({ receiver, count }) => [receiver, count]),
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks those of these deliveries that are still parked and that no other transaction has locked, the most urgent `count`;
 * returns their ids.
 */
export async function lockParked(
  connection: PoolConnection,
  ids: readonly number[],
  count = ids.length,
): Promise<number[]> {
  const locked: number[] = [];
  for (let next = 0; next < ids.length && locked.length < count; ) {
    const some = ids.slice(next, next + count - locked.length);
    const rows = await lockFreeRows<{ id: number }>(connection, some, {
      sql: 'SELECT delivery_id AS id FROM parked_deliveries WHERE delivery_id IN (?)',
    });
    locked.push(...rows.map(({ id }) => id));
    next += some.length;
  }
  return locked;
}

/** Ends the parking of deliveries whose parked rows are locked, and returns their wake-ups, the most urgent first. */
export async function makeDue(
  connection: PoolConnection,
  ids: readonly number[],
  nowMs: number,
): Promise<DeliveryWakeUp[]> {
  if (ids.length === 0) return [];
  await connection.query(
    `UPDATE deliveries SET next_attempt_ms = ?, parked_ms = NULL
     WHERE id IN (?) AND status = 'pending' AND next_attempt_ms IS NULL`,
    [nowMs, ids],
  );
  await connection.query('DELETE FROM parked_deliveries WHERE delivery_id IN (?)', [ids]);
  const [rows] = await connection.query<(RowDataPacket & WakeUpRow)[]>(
    `SELECT ${WAKE_UP_COLUMNS} FROM deliveries
     WHERE id IN (?) AND status = 'pending' ORDER BY priority DESC, id`,
    [ids],
  );
  return rows.map((row) => ({ ...wakeUpOf(row), wasParked: true }));
}

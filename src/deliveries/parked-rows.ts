import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import { WAKE_UP_COLUMNS, type WakeUpRow, wakeUpOf } from './delivery-wake-up';

type IdRow = RowDataPacket & { id: number };

/** Locks the most urgent parked deliveries of a receiver that no other transaction has locked; returns their ids. */
export async function lockMostUrgent(connection: PoolConnection, receiver: string, count: number): Promise<number[]> {
  const [rows] = await connection.query<IdRow[]>(
    `SELECT delivery_id AS id FROM parked_deliveries WHERE receiver = ? ORDER BY priority_rank, delivery_id LIMIT ?
     FOR UPDATE SKIP LOCKED`,
    [receiver, count],
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

/** Locks those of these deliveries that are still parked and that no other transaction has locked; returns their ids. */
export async function lockParked(connection: PoolConnection, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const [rows] = await connection.query<IdRow[]>(
    'SELECT delivery_id AS id FROM parked_deliveries WHERE delivery_id IN (?) FOR UPDATE SKIP LOCKED',
    [ids],
  );
  return rows.map(({ id }) => id);
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

import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../storage/transaction';

const ATTEMPTS_PER_TRANSACTION = 5_000;

/**
 * Deletes the ended ones of these deliveries, with their attempts, in one transaction. With `unclaimedAtMs` it also
 * deletes pending ones that no worker has leased at that instant. A very large number of attempts takes several calls,
 * until `isComplete`. Returns the number of deleted rows.
 */
export async function deleteDeliveries(
  pool: Pool,
  ids: readonly number[],
  { unclaimedAtMs }: { unclaimedAtMs?: number } = {},
): Promise<{ deleted: number; isComplete: boolean }> {
  if (ids.length === 0) return { deleted: 0, isComplete: true };
  const [or, instants] =
    unclaimedAtMs === undefined ? ['', []] : [' OR claimed_until_ms IS NULL OR claimed_until_ms <= ?', [unclaimedAtMs]];
  return inPoolTransaction(pool, async (connection) => {
    const [rows] = await connection.query<(RowDataPacket & { id: number })[]>(
      `SELECT id FROM deliveries WHERE id IN (?) AND (status <> 'pending'${or}) ORDER BY id FOR UPDATE`,
      [ids, ...instants],
    );
    if (rows.length === 0) return { deleted: 0, isComplete: true };
    const locked = rows.map(({ id }) => id);
    const [attempts] = await connection.query<ResultSetHeader>(
      'DELETE FROM delivery_attempts WHERE delivery_id IN (?) LIMIT ?',
      [locked, ATTEMPTS_PER_TRANSACTION],
    );
    const deleted = attempts.affectedRows;
    if (deleted === ATTEMPTS_PER_TRANSACTION) return { deleted, isComplete: false };
    const [deliveries] = await connection.query<ResultSetHeader>('DELETE FROM deliveries WHERE id IN (?)', [locked]);
    return { deleted: deleted + deliveries.affectedRows, isComplete: true };
  });
}

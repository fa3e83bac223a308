import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { isLockTimeout } from './mysql-errors';

/** A query without a lock, whose first parameter is a list of ids, and its further parameters. */
export interface RowsById {
  sql: string;
  values?: readonly unknown[];
}

/**
 * Locks those of these rows that no other transaction has locked, until the end of this one. It never waits, because a
 * worker that is paused may hold a lock for long. Where some are locked, it asks for halves, down to single rows.
 *
 * A cluster that locks on one server only may give the same rows to two transactions. So each writes or deletes what it has
 * locked; then the second is refused when it commits.
 */
export async function lockFreeRows<Row>(
  connection: PoolConnection,
  ids: readonly number[],
  query: RowsById,
): Promise<(RowDataPacket & Row)[]> {
  if (ids.length === 0) return [];
  try {
    const [rows] = await connection.query<(RowDataPacket & Row)[]>(`${query.sql} FOR UPDATE NOWAIT`, [
      ids,
      ...(query.values ?? []),
    ]);
    return rows;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    if (ids.length === 1) return [];
    const middle = Math.ceil(ids.length / 2);
    return [
      ...(await lockFreeRows<Row>(connection, ids.slice(0, middle), query)),
      ...(await lockFreeRows<Row>(connection, ids.slice(middle), query)),
    ];
  }
}

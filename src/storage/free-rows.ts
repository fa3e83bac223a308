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
  const rows = await lockAll<Row>(connection, ids, query);
  if (rows) return rows;
  if (ids.length === 1) return [];
  const middle = Math.ceil(ids.length / 2);
  return [
    ...(await lockFreeRows<Row>(connection, ids.slice(0, middle), query)),
    ...(await lockFreeRows<Row>(connection, ids.slice(middle), query)),
  ];
}

/**
 * The same for lists whose order counts: of each list it locks the first rows, and none behind one that another transaction
 * has locked. Of a list with such a row they may be fewer than there are before it, and are none if it is the first.
 */
export function lockFirstRows<Row>(
  connection: PoolConnection,
  lists: readonly (readonly number[])[],
  query: RowsById,
): Promise<(RowDataPacket & Row)[]> {
  return firstOfEach(lists, (ids) => lockAll<Row>(connection, ids, query));
}

/** Takes the first of each list, by a function that takes all of what it is given or nothing. */
export async function firstOfEach<Row>(
  lists: readonly (readonly number[])[],
  takeAll: (ids: readonly number[]) => Promise<readonly Row[] | undefined>,
): Promise<Row[]> {
  const ids = lists.flat();
  if (ids.length === 0) return [];
  const rows = await takeAll(ids);
  if (rows) return [...rows];
  if (lists.length === 1) return firstOfEach([ids.slice(0, Math.floor(ids.length / 2))], takeAll);
  const middle = Math.ceil(lists.length / 2);
  return [
    ...(await firstOfEach(lists.slice(0, middle), takeAll)),
    ...(await firstOfEach(lists.slice(middle), takeAll)),
  ];
}

/** Locks all of these rows that are there; undefined when another transaction has locked one of them. */
async function lockAll<Row>(
  connection: PoolConnection,
  ids: readonly number[],
  query: RowsById,
): Promise<(RowDataPacket & Row)[] | undefined> {
  if (ids.length === 0) return [];
  try {
    const [rows] = await connection.query<(RowDataPacket & Row)[]>(`${query.sql} FOR UPDATE NOWAIT`, [
      ids,
      ...(query.values ?? []),
    ]);
    return rows;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return undefined;
  }
}

import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { isLockTimeout } from './mysql-errors';

/** A query without a lock. Its first parameter is a list of ids, followed by `values`. */
export interface RowsById {
  sql: string;
  values?: readonly unknown[];
}

/**
 * Locks those of these rows that no other transaction has locked, until the end of this one. It never waits, because a
 * paused worker may hold a lock for long. If some are locked, it tries halves, down to single rows.
 *
 * A cluster that locks on one server only may give the same rows to two transactions. So each transaction must write or
 * delete the rows that it has locked; then the second one is refused when it commits.
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
 * The same for ordered lists: locks the first rows of each list, and none behind a row that another transaction has
 * locked. From a list with such a row it may lock fewer rows than come before it; it locks none if that row is the
 * first.
 */
export function lockFirstRows<Row>(
  connection: PoolConnection,
  lists: readonly (readonly number[])[],
  query: RowsById,
): Promise<(RowDataPacket & Row)[]> {
  return firstOfEach(lists, (ids) => lockAll<Row>(connection, ids, query));
}

/** Takes the first rows of each list, with a function that takes either all given rows or none. */
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

/** Locks all of these rows that exist. Returns undefined if another transaction has locked one of them. */
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

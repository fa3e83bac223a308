import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { isLockTimeout } from './mysql-errors';

/** `values` follow a list of ids. */
export interface RowsById {
  sql: string;
  values?: readonly unknown[];
}

/**
 * Locks the rows that no other transaction has locked, until the end of this one. Never waits: a paused worker may hold
 * a lock for long. A cluster may give the same rows to two transactions, so each must write or delete its rows: then
 * the second one is refused at its commit.
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

/** Locks no row behind one of another transaction; maybe fewer than come before it. */
export function lockFirstRows<Row>(
  connection: PoolConnection,
  lists: readonly (readonly number[])[],
  query: RowsById,
): Promise<(RowDataPacket & Row)[]> {
  return firstOfEach(lists, (ids) => lockAll<Row>(connection, ids, query));
}

/** `take` takes either all given rows or none. */
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

/** Undefined if another transaction has locked one. */
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

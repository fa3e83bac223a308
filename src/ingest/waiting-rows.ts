import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { InboxRow, TurnScope } from './inbox-row';
import type { OwnerShares } from './owner-shares';

const ROWS_PER_TURN = 5_000;
/** This many are read at once, of any size and owner. Of more, only what stays below the limit of bytes. */
const FEW_ROWS = 50;
const BYTES_PER_TURN = 2_000_000;
/** Owners of one turn. Others come next. */
const OWNERS_PER_TURN = 20;

// Its aliases are InboxRow's keys.
const COLUMNS =
  'sensor_id AS sensorId, owner_id AS ownerId, value, date_ms AS dateMs, received_ms AS receivedMs, stored_ms AS storedMs';

interface Waiting {
  rows: InboxRow[];
  /** Owners of whom more waits than `rows`. */
  unreadOwnerIds: number[];
  lastOwnerId: number;
}

/**
 * Reads the oldest rows of a scope. When many wait, they are shared out by owner: each owner's part of a turn is the same,
 * however much of another's waits, and never more than they can afford.
 */
export async function readWaiting(connection: PoolConnection, scope: TurnScope, shares: OwnerShares): Promise<Waiting> {
  const few = await readRows(connection, scope, 'ORDER BY id LIMIT ?', [FEW_ROWS]);
  if (few.length < FEW_ROWS) return withinShares(few, shares);
  const waiting = await readOwners(connection, scope);
  const able = waiting.filter((ownerId) => shares.rowsFor(ownerId) > 0);
  const owners = able.slice(0, OWNERS_PER_TURN);
  const rows: InboxRow[] = [];
  const unread = new Set(waiting);
  for (const ownerId of owners) {
    const limit = Math.min(shares.rowsFor(ownerId), Math.floor(ROWS_PER_TURN / owners.length));
    const part = await readPart(connection, scope, ownerId, { rows: limit, bytes: BYTES_PER_TURN / owners.length });
    rows.push(...part.rows);
    if (!part.hasMore) unread.delete(ownerId);
  }
  return { rows, unreadOwnerIds: [...unread], lastOwnerId: owners.at(-1) ?? 0 };
}

/** Of few rows, for each owner the oldest that they can afford. */
function withinShares(few: readonly InboxRow[], shares: OwnerShares): Waiting {
  const taken = new Map<number, number>();
  const unread = new Set<number>();
  const rows = few.filter(({ ownerId }) => {
    const count = (taken.get(ownerId) ?? 0) + 1;
    taken.set(ownerId, count);
    if (count <= shares.rowsFor(ownerId)) return true;
    unread.add(ownerId);
    return false;
  });
  return { rows, unreadOwnerIds: [...unread], lastOwnerId: 0 };
}

/** Every owner of a waiting row, from the one after the last of the turn before. A look at the index for each. */
async function readOwners(connection: PoolConnection, scope: TurnScope): Promise<number[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT DISTINCT owner_id AS ownerId FROM inbox WHERE ${whereOf(scope)} ORDER BY owner_id`,
    valuesOf(scope),
  );
  const ids = rows.map((row) => Number(row.ownerId));
  const { afterOwnerId = 0 } = scope;
  return [...ids.filter((id) => id > afterOwnerId), ...ids.filter((id) => id <= afterOwnerId)];
}

/** One row at least, so that turns come to an end. */
async function readPart(
  connection: PoolConnection,
  scope: TurnScope,
  ownerId: number,
  share: { rows: number; bytes: number },
): Promise<{ rows: InboxRow[]; hasMore: boolean }> {
  const limit = Math.max(1, share.rows);
  const [sizes] = await connection.query<RowDataPacket[]>(
    `SELECT id, LENGTH(value) AS bytes FROM inbox WHERE ${whereOf(scope)} AND owner_id = ? ORDER BY id LIMIT ?`,
    [...valuesOf(scope), ownerId, limit],
  );
  const fitting = sizes.slice(0, Math.max(1, countWithin(sizes, share.bytes)));
  const upTo = Number(fitting.at(-1)?.id ?? 0);
  const rows = await readRows(connection, scope, 'AND owner_id = ? AND id <= ? ORDER BY id', [ownerId, upTo]);
  return { rows, hasMore: fitting.length < sizes.length || sizes.length === limit };
}

async function readRows(
  connection: PoolConnection,
  scope: TurnScope,
  rest: string,
  values: number[],
): Promise<InboxRow[]> {
  const sql = `SELECT id, ${COLUMNS} FROM inbox WHERE ${whereOf(scope)} ${rest}`;
  const [rows] = await connection.query<RowDataPacket[]>(sql, [...valuesOf(scope), ...values]);
  return rows as InboxRow[];
}

function countWithin(sizes: readonly RowDataPacket[], bytes: number): number {
  let sum = 0;
  const end = sizes.findIndex((row) => {
    sum += Number(row.bytes);
    return sum > bytes;
  });
  return end === -1 ? sizes.length : end;
}

function whereOf({ sensorId }: TurnScope): string {
  return sensorId === undefined ? 'partition_no = ?' : 'partition_no = ? AND sensor_id = ?';
}

function valuesOf({ partition, sensorId }: TurnScope): number[] {
  return sensorId === undefined ? [partition] : [partition, sensorId];
}

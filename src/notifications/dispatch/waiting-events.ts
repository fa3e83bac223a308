import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { EventShare } from '../../../jobs/event.job';
import { lockFirstRows, lockFreeRows } from '../../storage/free-rows';

const EVENTS_AT_ONCE = 500;
/** The first audience may be larger. */
const AUDIENCE_BYTES = 1_000_000;
const RETRIES_AT_ONCE = 20;

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** An event that this transaction has locked and read. */
export interface WaitingEvent {
  id: number;
  name: string;
  /** The user who caused the event. */
  userId: number;
  subjectId: number | null;
  sourceId: number | null;
  /** The users who could see the event when it happened. */
  audience: number[];
  /** The last user with dispatched deliveries; null before the first. */
  doneUserId: number | null;
}

/** Locked, but not read yet. */
export interface LockedEvent {
  id: number;
  /** Size of the audience. */
  bytes: number;
}

/**
 * Locks the oldest events, as many for each user. Stops at an event that another worker has locked, so the events of a
 * user are dispatched in order.
 */
export async function lockEvents(connection: PoolConnection, users: readonly number[]): Promise<LockedEvent[]> {
  const most = Math.ceil(EVENTS_AT_ONCE / users.length);
  const ofOne =
    '(SELECT user_id AS userId, id FROM events WHERE retry_at_ms IS NULL AND user_id = ? ORDER BY id LIMIT ?)';
  const [oldest] = await connection.query<RowDataPacket[]>(
    users.map((_, index) => `SELECT userId, id FROM ${ofOne} u${index}`).join(' UNION '),
    users.flatMap((userId) => [userId, most]),
  );
  const lists = users.map((user) => oldest.flatMap(({ userId, id }) => (Number(userId) === user ? [Number(id)] : [])));
  for (const list of lists) list.sort((a, b) => a - b);
  const locked = await lockFirstRows<LockedEvent>(connection, lists, {
    // A table scan would meet the locks of others.
    sql: 'SELECT id, LENGTH(audience) AS bytes FROM events FORCE INDEX (PRIMARY) WHERE id IN (?) AND retry_at_ms IS NULL',
  });
  return inOrder(lists.flat(), locked);
}

/** Empty if the event is not due or is locked. Only an event that was set aside need not be the oldest of its user. */
export async function lockEvent(connection: PoolConnection, id: number, nowMs: number): Promise<LockedEvent[]> {
  const [event] = await lockFreeRows<LockedEvent & { userId: number; retryAtMs: number | null }>(connection, [id], {
    sql: `SELECT id, LENGTH(audience) AS bytes, user_id AS userId, retry_at_ms AS retryAtMs FROM events
      WHERE id IN (?) AND (retry_at_ms IS NULL OR retry_at_ms <= ?)`,
    values: [nowMs],
  });
  if (!event) return [];
  if (event.retryAtMs !== null) return [event];
  const [older] = await connection.query<RowDataPacket[]>(
    'SELECT id FROM events WHERE retry_at_ms IS NULL AND user_id = ? AND id < ? ORDER BY id LIMIT 1',
    [event.userId, id],
  );
  return older.length === 0 ? [event] : [];
}

function inOrder(ids: readonly number[], events: readonly LockedEvent[]): LockedEvent[] {
  const byId = new Map(events.map((event) => [Number(event.id), event]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Events that were set aside and are due again. */
export async function eventsToRetry(pool: Pool, share: EventShare, nowMs: number): Promise<number[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    'SELECT id, user_id AS userId FROM events WHERE retry_at_ms <= ? ORDER BY retry_at_ms LIMIT ?',
    [nowMs, RETRIES_AT_ONCE * share.of],
  );
  const own = rows.filter(({ userId }) => isOfShare(Number(userId), share));
  return own.slice(0, RETRIES_AT_ONCE).map(({ id }) => Number(id));
}

/** Sets an event aside for a minute, and for longer after each further failure, up to an hour. */
export async function setAside(pool: Pool, id: number, nowMs: number): Promise<void> {
  await pool.query(
    'UPDATE events SET retry_at_ms = ? + LEAST(?, ? * POW(2, LEAST(failures, 10))), failures = failures + 1 WHERE id = ?',
    [nowMs, MAX_PAUSE_MS, FIRST_PAUSE_MS, id],
  );
}

/** Sets an event aside that must not be tried again soon. */
export async function setAsideForADay(pool: Pool, id: number, nowMs: number): Promise<void> {
  await pool.query('UPDATE events SET retry_at_ms = ?, failures = failures + 1 WHERE id = ?', [nowMs + DAY_MS, id]);
}

/** The ids of the oldest waiting events of these users, as many as one transaction takes. */
export async function oldestEvents(pool: Pool, users: readonly number[]): Promise<number[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    'SELECT id FROM events WHERE retry_at_ms IS NULL AND user_id IN (?) ORDER BY id LIMIT ?',
    [users, EVENTS_AT_ONCE],
  );
  return rows.map(({ id }) => Number(id));
}

/** Reads the first events whose audiences fit into memory together. */
export async function readEvents(connection: PoolConnection, locked: readonly LockedEvent[]): Promise<WaitingEvent[]> {
  let bytes = 0;
  const fitting = locked.filter((row, index) => {
    bytes += Number(row.bytes);
    return index === 0 || bytes <= AUDIENCE_BYTES;
  });
  if (fitting.length === 0) return [];
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, name, user_id AS userId, subject_id AS subjectId, source_id AS sourceId, audience, done_user_id AS doneUserId
     FROM events WHERE id IN (?)`,
    [fitting.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [Number(row.id), row]));
  return fitting.flatMap(({ id }): WaitingEvent[] => {
    const row = byId.get(Number(id));
    if (!row) return [];
    const { name, userId, subjectId, sourceId, audience, doneUserId } = row;
    return [{ id: Number(id), name, userId, subjectId, sourceId, audience: JSON.parse(audience), doneUserId }];
  });
}

const USERS_AT_ONCE = 20;
/** Limits the users of any share that are read. */
const MOST_LOOKS = 1_000;

/**
 * Serves users round-robin, so that a user who causes too many events delays only their own. The position is not
 * stored: after a restart any user may be first.
 */
export class EventRotation {
  private lastUserId = 0;

  constructor(
    private readonly pool: Pool,
    private readonly share: EventShare,
  ) {}

  async nextUsers(): Promise<number[]> {
    const afterId = this.lastUserId;
    const users = await this.usersAfter(afterId, USERS_AT_ONCE);
    if (users.length === USERS_AT_ONCE || afterId === 0 || afterId !== this.lastUserId) return users;
    const others = await this.usersAfter(0, USERS_AT_ONCE - users.length);
    return [...users, ...others.filter((userId) => userId <= afterId)];
  }

  /** The next batch starts behind this user. */
  endBatch(userId: number): void {
    this.lastUserId = userId;
  }

  /**
   * Reads one index entry for each user, and at most one of other shares before each id. If too many others wait, the
   * next call continues behind them.
   */
  private async usersAfter(afterId: number, most: number): Promise<number[]> {
    const users: number[] = [];
    let last = afterId;
    for (let looks = 0; users.length < most && looks < MOST_LOOKS; looks += 1) {
      const [rows] = await this.pool.query<RowDataPacket[]>(
        'SELECT user_id AS userId FROM events WHERE retry_at_ms IS NULL AND user_id >= ? ORDER BY user_id LIMIT 1',
        [nextOfShare(last, this.share)],
      );
      if (!rows[0]) return users;
      last = Number(rows[0].userId);
      if (isOfShare(last, this.share)) users.push(last);
    }
    if (users.length === 0) this.lastUserId = last;
    return users;
  }
}

export function isOfShare(userId: number, { share, of }: EventShare): boolean {
  return userId % of === share;
}

export function nextOfShare(userId: number, { share, of }: EventShare): number {
  return userId + 1 + ((((share - userId - 1) % of) + of) % of);
}

/** Deletes events that could not be dispatched. */
export async function removeOldEvents(pool: Pool, beforeMs: number, most: number): Promise<number> {
  const sql = 'DELETE FROM events WHERE retry_at_ms IS NOT NULL AND created_ms < ? LIMIT ?';
  const [result] = await pool.query<ResultSetHeader>(sql, [beforeMs, most]);
  return result.affectedRows;
}

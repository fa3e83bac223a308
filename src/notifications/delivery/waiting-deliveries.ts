import type { RunSql } from '../../storage/transaction';
import { OVERDUE_MS, type Pending, type Wait, type Waiting, whyWaiting } from './waiting';

/** Leaves out planned waits. The parameters are those of `timesOf`. */
const WAITS = `d.status = 'pending' AND d.kind NOT IN ('notice', 'report', 'digest') AND (
  d.digest_id IS NOT NULL OR d.next_attempt_ms IS NULL OR d.attempts > 0
  OR (d.waits_for IS NOT NULL AND d.next_attempt_ms > ?)
  OR (d.next_attempt_ms <= ? AND (d.lease_until_ms IS NULL OR d.lease_until_ms <= ?)))`;

function timesOf(nowMs: number): number[] {
  return [nowMs, nowMs - OVERDUE_MS, nowMs];
}

/** Ids are far below it, so one number holds urgency and id. */
const BEYOND_IDS = 1_000_000_000_000_000;
const MOST_URGENT = `MIN((2 * (d.kind = 'end') + (1 - d.critical)) * ${BEYOND_IDS} + d.id)`;

/** Nothing for notifications without waiting deliveries. */
export async function readWaiting(
  run: RunSql,
  notificationIds: readonly number[],
  nowMs: number,
): Promise<Map<number, Waiting>> {
  if (notificationIds.length === 0) return new Map();
  const rows = await run(
    `SELECT d.notification_id AS notificationId, COUNT(*) AS count, SUM(d.critical) AS critical, ${MOST_URGENT} AS first
     FROM deliveries d WHERE d.notification_id IN (?) AND ${WAITS} GROUP BY d.notification_id`,
    [[...new Set(notificationIds)], ...timesOf(nowMs)],
  );
  return withReasons(run, rows, nowMs);
}

export interface WaitingNotification extends Waiting {
  notificationId: number;
  ownerId: number;
  username: string;
  sinceMs: number;
}

/** The most critical deliveries come first. */
export async function readAllWaiting(run: RunSql, nowMs: number, limit: number): Promise<WaitingNotification[]> {
  const rows = await run(
    `SELECT w.*, COALESCE(u.username, '') AS username FROM (
       SELECT d.notification_id AS notificationId, d.owner_id AS ownerId, COUNT(*) AS count, SUM(d.critical) AS critical,
         MIN(d.created_ms) AS sinceMs, ${MOST_URGENT} AS first
       FROM deliveries d WHERE ${WAITS} GROUP BY d.notification_id, d.owner_id
       ORDER BY SUM(d.critical) DESC, COUNT(*) DESC LIMIT ?) w
     LEFT JOIN users u ON u.id = w.ownerId`,
    [...timesOf(nowMs), limit],
  );
  const waiting = await withReasons(run, rows, nowMs);
  return rows.flatMap(({ notificationId, ownerId, username, sinceMs }) => {
    const found = waiting.get(Number(notificationId));
    const about = { notificationId: Number(notificationId), ownerId: Number(ownerId), username: String(username) };
    return found ? [{ ...found, ...about, sinceMs: Number(sinceMs) }] : [];
  });
}

type Row = Record<string, unknown>;

async function withReasons(run: RunSql, rows: readonly Row[], nowMs: number): Promise<Map<number, Waiting>> {
  const firstOf = ({ first }: Row) => Number(first) % BEYOND_IDS;
  const reasons = await readWaits(run, rows.map(firstOf), nowMs);
  return new Map(
    rows.flatMap((row) => {
      const wait = reasons.get(firstOf(row));
      if (!wait) return [];
      return [[Number(row.notificationId), { ...wait, count: Number(row.count), critical: Number(row.critical) }]];
    }),
  );
}

/** Nothing for deliveries that do not wait. */
export async function readWaits(run: RunSql, ids: readonly number[], nowMs: number): Promise<Map<number, Wait>> {
  if (ids.length === 0) return new Map();
  // A delivery in a digest waits with it.
  const rows = await run(
    `SELECT d.id, w.attempts, w.next_attempt_ms AS nextAttemptMs, w.lease_until_ms AS leasedUntilMs,
       w.waits_for AS waitsFor, ht.name AS heldBy, w.receiver, o.reason AS pausedFor,
       (SELECT a.error FROM delivery_attempts a WHERE a.delivery_id = w.id ORDER BY a.id DESC LIMIT 1) AS error
     FROM deliveries d LEFT JOIN deliveries g ON g.id = d.digest_id AND g.status = 'pending'
       JOIN deliveries w ON w.id = COALESCE(g.id, d.id) LEFT JOIN paused_receivers o ON o.receiver = w.receiver
       LEFT JOIN firings f ON w.escalation AND w.after_mute AND f.id = w.firing_id
       LEFT JOIN firings e ON e.id = COALESCE(f.episode_id, f.id)
       LEFT JOIN firings h ON h.id = e.held_by AND h.is_lasting LEFT JOIN triggers ht ON ht.id = h.trigger_id
     WHERE d.id IN (?) AND d.status = 'pending'`,
    [ids],
  );
  return new Map(
    rows.flatMap((row) => {
      const wait = whyWaiting(pendingOf(row), nowMs);
      return wait ? [[Number(row.id), wait] as const] : [];
    }),
  );
}

function pendingOf(row: Row): Pending {
  return {
    attempts: Number(row.attempts),
    nextAttemptMs: numberOf(row.nextAttemptMs),
    leasedUntilMs: numberOf(row.leasedUntilMs),
    waitsFor: textOf(row.waitsFor),
    heldBy: textOf(row.heldBy),
    receiver: textOf(row.receiver),
    pausedFor: textOf(row.pausedFor),
    error: textOf(row.error),
  };
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function textOf(value: unknown): string | null {
  return value === null ? null : String(value);
}

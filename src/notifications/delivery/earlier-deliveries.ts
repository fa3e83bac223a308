import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryRow } from './attempt';

const SHORTEST_PAUSE_MS = 1_000;
/** Pauses grow with the age of the delivery. */
const LONGEST_PAUSE_MS = 3_600_000;
/** The next check of a younger delivery comes soon anyway. */
const YOUNG_MS = 5_000;

/**
 * Null if the delivery need not wait. An acknowledgement follows the firings, and the end follows both. Needs no lock:
 * ended deliveries stay ended, and earlier ones already exist.
 */
export async function waitForEarlier(pool: Pool, row: DeliveryRow, nowMs: number): Promise<number | null> {
  const { firing_id: first, kind, notification_id, created_ms } = row;
  const earlier =
    (await findPendingFiring(pool, notification_id, first, created_ms)) ??
    (kind === 'end' ? await findPendingAcknowledgement(pool, notification_id, first) : undefined);
  if (!earlier) return null;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, (nowMs - created_ms) / 2));
  const afterMs = earlier.nextAttemptMs === null ? 0 : Number(earlier.nextAttemptMs) + SHORTEST_PAUSE_MS;
  return Math.round(Math.max(nowMs + pauseMs, afterMs));
}

async function findPendingFiring(
  pool: Pool,
  notificationId: number,
  first: number | null,
  untilMs: number,
): Promise<RowDataPacket | undefined> {
  const [[earlier]] = await pool.query<RowDataPacket[]>(
    `SELECT COALESCE(g.next_attempt_ms, d.next_attempt_ms) AS nextAttemptMs
     FROM firings first
     JOIN firings f ON f.sensor_trigger_id = first.sensor_trigger_id AND f.fired_ms >= first.fired_ms
       AND f.fired_ms <= COALESCE(first.ended_ms, ?)
     JOIN deliveries d ON d.firing_id = f.id AND d.notification_id = ? AND d.kind = 'firing'
     LEFT JOIN deliveries g ON g.id = d.digest_id
     WHERE first.id = ? AND d.status = 'pending' LIMIT 1`,
    [untilMs, notificationId, first],
  );
  return earlier;
}

async function findPendingAcknowledgement(
  pool: Pool,
  notificationId: number,
  first: number | null,
): Promise<RowDataPacket | undefined> {
  const [[earlier]] = await pool.query<RowDataPacket[]>(
    `SELECT next_attempt_ms AS nextAttemptMs FROM deliveries
     WHERE notification_id = ? AND status = 'pending' AND firing_id = ? AND kind = 'acknowledgement' LIMIT 1`,
    [notificationId, first],
  );
  return earlier;
}

/**
 * Requires the transaction that records the last attempts of the firings. An end that waits for another firing
 * continues to wait.
 */
export async function makeEndsOfAllDue(
  connection: PoolConnection,
  rows: readonly DeliveryRow[],
  nowMs: number,
): Promise<void> {
  const old = rows.filter(
    ({ firing_id, kind, created_ms }) => firing_id !== null && kind !== 'end' && nowMs - created_ms >= YOUNG_MS,
  );
  if (old.length === 0) return;
  const [firings] = await connection.query<RowDataPacket[]>(
    'SELECT COALESCE(episode_id, id) AS firstId FROM firings WHERE id IN (?)',
    [old.map(({ firing_id }) => firing_id)],
  );
  if (firings.length === 0) return;
  await connection.query(
    `UPDATE deliveries SET next_attempt_ms = ?
     WHERE firing_id IN (?) AND notification_id IN (?) AND kind = 'end' AND status = 'pending' AND next_attempt_ms > ?
       AND attempts = 0`,
    [
      nowMs,
      [...new Set(firings.map(({ firstId }) => Number(firstId)))],
      [...new Set(old.map(({ notification_id }) => notification_id))],
      nowMs,
    ],
  );
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import { raiseEvents } from '../events/event-rows';
import type { SwitchedOff } from '../rules/notification-health';
import type { RunSql } from '../storage/transaction';

const DELIVERIES_PER_STATEMENT = 1_000;

/**
 * Disables a notification in the caller's transaction. Returns false if it is already disabled or deleted. After the
 * commit, the caller ends its pending deliveries with `makePendingDue`.
 */
export async function switchOff(run: RunSql, id: number, reason: SwitchedOff, nowMs: number): Promise<boolean> {
  const [found] = await run('SELECT owner_id AS ownerId, enabled FROM notifications WHERE id = ? FOR UPDATE', [id]);
  if (!found?.enabled) return false;
  await run('UPDATE notifications SET enabled = FALSE, disabled_reason = ? WHERE id = ?', [reason, id]);
  await raiseEvents(run, [{ name: 'update_notification', subjectId: id, userId: Number(found.ownerId) }], nowMs);
  return true;
}

/**
 * Disables a notification because its recipient has unsubscribed. Returns false if it is already disabled or deleted.
 */
export async function refuseMails(run: RunSql, id: number, nowMs: number): Promise<boolean> {
  await run('UPDATE notifications SET confirmed = FALSE WHERE id = ?', [id]);
  return switchOff(run, id, 'unsubscribed', nowMs);
}

/** Records that the recipient of a notification wants its mails. Enables it again if they had unsubscribed. */
export async function allowMails(run: RunSql, id: number, nowMs: number): Promise<void> {
  await run('UPDATE notifications SET confirmed = TRUE WHERE id = ?', [id]);
  const [found] = await run('SELECT owner_id AS ownerId, disabled_reason AS reason FROM notifications WHERE id = ?', [
    id,
  ]);
  const reason: SwitchedOff = 'unsubscribed';
  if (found?.reason !== reason) return;
  await run('UPDATE notifications SET enabled = TRUE, disabled_reason = NULL, failing_since_ms = NULL WHERE id = ?', [
    id,
  ]);
  await raiseEvents(run, [{ name: 'update_notification', subjectId: id, userId: Number(found.ownerId) }], nowMs);
}

/**
 * Makes every pending delivery of a disabled notification due now, so that it fails without waiting for its next
 * attempt or its receiver. A lost call does no harm: each delivery then fails when its next attempt is due.
 */
export async function makePendingDue(pool: Pool, notificationId: number, nowMs: number): Promise<void> {
  for (;;) {
    const [rows] = await pool.query<(RowDataPacket & { id: number })[]>(
      `SELECT id FROM deliveries WHERE notification_id = ? AND status = 'pending'
         AND (next_attempt_ms IS NULL OR next_attempt_ms > ?) ORDER BY id LIMIT ?`,
      [notificationId, nowMs, DELIVERIES_PER_STATEMENT],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await pool.query(
      "UPDATE deliveries SET next_attempt_ms = ?, parked_ms = NULL WHERE id IN (?) AND status = 'pending'",
      [nowMs, ids],
    );
    await pool.query('DELETE FROM parked_deliveries WHERE delivery_id IN (?)', [ids]);
  }
}

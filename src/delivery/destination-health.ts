import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import { raiseEvents } from '../events/event-log';
import type { AttemptOutcome } from '../rules/delivery-schedule';
import { type HealthChange, judgeNotification, type SwitchedOff } from '../rules/notification-health';
import { type RunSql, runOn } from '../storage/transaction';
import type { DeliveryRow } from './attempt';
import type { ChannelType } from './channels';
import { insertDelivery, type NewDelivery } from './delivery-rows';
import { MAY_COME_EARLY } from './escalations';

/**
 * Records since when nothing has arrived at a notification's destination, in the transaction of the attempt. When the
 * destination has failed for too long, the notification is disabled and a mail to its owner becomes pending. Returns
 * the nudges for that mail, to be enqueued after the commit, or undefined if nothing was disabled.
 */
export async function followHealth(
  connection: PoolConnection,
  row: DeliveryRow,
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  nowMs: number,
): Promise<DeliveryNudge[] | undefined> {
  const change = judgeHealth(row, outcome, status, nowMs);
  if (change !== 'give-up') {
    await writeHealth(connection, row, change, nowMs);
    return undefined;
  }
  const isOff = await switchOff(runOn(connection), row.notification_id, 'failing', nowMs);
  return isOff ? insertNotice(connection, row, nowMs) : undefined;
}

/**
 * The effect of an attempt on its notification's health. Neither a notice nor a delivery to an earlier destination says
 * anything about the current one.
 */
function judgeHealth(
  row: DeliveryRow,
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  nowMs: number,
): HealthChange {
  if (row.mail_subject !== null || row.destination !== row.present_destination) return 'none';
  return judgeNotification(outcome, status, row.failing_since_ms, nowMs);
}

/** Updates the notification only if something changes, because concurrent attempts would wait for its row. */
async function writeHealth(
  connection: PoolConnection,
  row: DeliveryRow,
  change: HealthChange,
  nowMs: number,
): Promise<void> {
  if (change === 'none') return;
  await connection.query(
    change === 'recovered'
      ? 'UPDATE notifications SET failing_since_ms = NULL WHERE id = ?'
      : 'UPDATE notifications SET failing_since_ms = ? WHERE failing_since_ms IS NULL AND id = ?',
    change === 'recovered' ? [row.notification_id] : [nowMs, row.notification_id],
  );
}

/** The mail is a delivery like any other: it survives a crash and is retried. */
async function insertNotice(connection: PoolConnection, row: DeliveryRow, nowMs: number): Promise<DeliveryNudge[]> {
  const [users] = await connection.query<RowDataPacket[]>('SELECT email FROM users WHERE id = ?', [row.owner_id]);
  const address = String(users[0]?.email ?? '');
  if (address === '') return [];
  const text = [
    `Nothing has arrived at the destination of your notification ${row.notification_id} for five days:`,
    row.destination,
    'The notification is switched off now: triggers and events send nothing there any more.',
    `When the destination works again, test it with POST /notifications/${row.notification_id}/test, then set "enabled" of the notification.`,
  ].join('\n\n');
  const mail: NewDelivery = {
    ownerId: row.owner_id,
    notificationId: row.notification_id,
    type: 'email' satisfies ChannelType,
    destination: address,
    text,
    mailSubject: `Notification ${row.notification_id} was switched off`,
    nextAttemptMs: nowMs,
    createdMs: nowMs,
  };
  const deliveryId = await insertDelivery(connection, mail);
  return [{ deliveryId, ownerId: row.owner_id, attempts: 0, priority: 0, cause: 'trigger' }];
}

const DELIVERIES_PER_STATEMENT = 1_000;

/**
 * Disables a notification in the caller's transaction. Returns false if it is already disabled or deleted. After the
 * commit, the caller ends its pending deliveries with `makePendingDue`.
 */
async function switchOff(run: RunSql, id: number, reason: SwitchedOff, nowMs: number): Promise<boolean> {
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
      `SELECT id FROM deliveries WHERE notification_id = ? AND status = 'pending' AND ${MAY_COME_EARLY}
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

import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { raiseEvents } from '../../events/event-log';
import { type RunSql, runOn } from '../../storage/transaction';
import { kindOf } from '../kinds';
import { type HealthChange, judgeNotification, type SwitchedOff } from '../notifications/notification-health';
import type { DeliveryRow } from './attempt';
import type { AttemptOutcome } from './delivery-schedule';
import { MAY_COME_EARLY } from './escalations';
import { insertNotice } from './owner-notices';
import { deleteThrottled } from './throttled-rows';

/** What follows after the commit. */
export interface HealthEffects {
  mails: DeliveryNudge[];
  /** Then call `makePendingDue`. */
  isOff: boolean;
  hasEvents: boolean;
}

export const NO_EFFECTS: HealthEffects = { mails: [], isOff: false, hasEvents: false };

/**
 * Requires the transaction of the attempt. Disables the notification after a long failure or at the end of its
 * destination. Half-way it notifies the owner.
 */
export async function followHealth(
  connection: PoolConnection,
  row: DeliveryRow,
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  nowMs: number,
): Promise<HealthEffects> {
  const change = judgeHealth(row, outcome, status, nowMs);
  if (change === 'give-up' || change === 'gone') {
    const reason = change === 'gone' ? 'gone' : 'failing';
    const isOff = await switchOff(runOn(connection), row.notification_id, reason, nowMs);
    if (!isOff) return NO_EFFECTS;
    const kind = change === 'gone' ? 'gone' : 'switched-off';
    return { mails: await insertNotice(connection, row, { kind }, nowMs), isOff, hasEvents: true };
  }
  if (change === 'half-way') return warn(connection, row, nowMs);
  await writeHealth(connection, row, change, nowMs);
  return NO_EFFECTS;
}

/** Another attempt may already have notified the owner. */
async function warn(connection: PoolConnection, row: DeliveryRow, nowMs: number): Promise<HealthEffects> {
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    'UPDATE notifications SET warned_ms = ? WHERE id = ? AND enabled AND (warned_ms IS NULL OR warned_ms < failing_since_ms)',
    [nowMs, row.notification_id],
  );
  if (affectedRows === 0) return NO_EFFECTS;
  const event = { name: 'notification_failing', subjectId: row.notification_id, userId: row.owner_id } as const;
  const raised = await raiseEvents(runOn(connection), [event], nowMs);
  const mails = await insertNotice(connection, row, { kind: 'failing' }, nowMs);
  return { mails, isOff: false, hasEvents: raised.length > 0 };
}

/**
 * Notices, deliveries to an earlier destination, and those of a disabled account say nothing about the current
 * destination.
 */
function judgeHealth(
  row: DeliveryRow,
  outcome: AttemptOutcome,
  status: 'delivered' | 'failed' | 'pending',
  nowMs: number,
): HealthChange {
  if (row.owner_disabled_ms !== null) return 'none';
  if (kindOf(row).isForOwner || row.destination !== row.present_destination) return 'none';
  return judgeNotification(outcome, status, { failingSinceMs: row.failing_since_ms, warnedMs: row.warned_ms }, nowMs);
}

/** Writes only a change: concurrent attempts would wait for the row. */
async function writeHealth(
  connection: PoolConnection,
  row: DeliveryRow,
  change: Exclude<HealthChange, 'half-way' | 'give-up' | 'gone'>,
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

const DELIVERIES_PER_STATEMENT = 1_000;

/** False if it is already disabled or deleted. After the commit, call `makePendingDue`. */
async function switchOff(run: RunSql, id: number, reason: SwitchedOff, nowMs: number): Promise<boolean> {
  const [found] = await run('SELECT owner_id AS ownerId, enabled FROM notifications WHERE id = ? FOR UPDATE', [id]);
  if (!found?.enabled) return false;
  await run('UPDATE notifications SET enabled = FALSE, disabled_reason = ? WHERE id = ?', [reason, id]);
  await raiseEvents(run, [{ name: 'update_notification', subjectId: id, userId: Number(found.ownerId) }], nowMs);
  return true;
}

/** Returns as `switchOff`. */
export async function refuseMails(run: RunSql, id: number, nowMs: number): Promise<boolean> {
  await run('UPDATE notifications SET confirmed = FALSE WHERE id = ?', [id]);
  return switchOff(run, id, 'unsubscribed', nowMs);
}

/** Enables the notification again if the recipient had unsubscribed. */
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
 * Lets the deliveries of a disabled notification fail now. A lost call does no harm: each fails at its next attempt.
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
      "UPDATE deliveries SET next_attempt_ms = ?, throttled_ms = NULL WHERE id IN (?) AND status = 'pending'",
      [nowMs, ids],
    );
    await deleteThrottled(runOn(pool), ids);
  }
}

import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { AttemptOutcome } from '../rules/delivery-schedule';
import { type HealthChange, judgeNotification } from '../rules/notification-health';
import { runOn } from '../storage/transaction';
import type { DeliveryRow } from './attempt';
import type { ChannelType } from './channels';
import { insertDeliveries, type NewDelivery } from './delivery-rows';
import { switchOff } from './notification-switch';

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
  const deliveryId = await insertDeliveries(connection, [mail]);
  return [{ deliveryId, ownerId: row.owner_id, attempts: 0, priority: 0, cause: 'trigger' }];
}

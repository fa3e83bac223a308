import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { shownDestination } from '../notifications/push-subscription';
import type { DeliveryRow } from './attempt';
import type { ChannelType } from './channels';
import { insertDelivery } from './delivery-rows';

export interface Notice {
  subject: string;
  paragraphs: readonly string[];
}

type About = Pick<DeliveryRow, 'notification_id' | 'type' | 'destination'>;

export function switchedOffNotice(row: About): Notice {
  const id = row.notification_id;
  return {
    subject: `Notification ${id} was switched off`,
    paragraphs: [
      `Nothing has arrived at the destination of your notification ${id} for five days:`,
      shownDestination(row, { withSecret: false }),
      'The notification is switched off now: triggers and events send nothing there any more.',
      `When the destination works again, test it with POST /notifications/${id}/test, then set "enabled" of the notification.`,
    ],
  };
}

/** The endpoint is a secret: the notice shows only its origin. */
export function goneNotice(row: About): Notice {
  const id = row.notification_id;
  return {
    subject: `Notification ${id} was switched off`,
    paragraphs: [
      `A browser takes no more alerts of your notification ${id}. Its subscription has ended at:`,
      shownDestination(row, { withSecret: false }),
      'The notification is switched off now: triggers and events send nothing there any more.',
      'If you still want alerts in that browser, open the page Notifications of the console in it, and subscribe again.',
    ],
  };
}

/** Comes half-way to `switchedOffNotice`. */
export function failingNotice(row: About): Notice {
  const id = row.notification_id;
  return {
    subject: `Notification ${id} is failing`,
    paragraphs: [
      `Nothing has arrived at the destination of your notification ${id} for two and a half days:`,
      shownDestination(row, { withSecret: false }),
      'After five days without success the notification is switched off.',
      `GET /deliveries?notification_id=${id}&status=failed shows what failed. When the destination works again, test it with POST /notifications/${id}/test.`,
    ],
  };
}

/** `waiting` says which alerts wait, and for what. */
export function lateNotice(row: About, waiting: string): Notice {
  const id = row.notification_id;
  return {
    subject: `Critical alerts of notification ${id} wait`,
    paragraphs: [
      `Critical alerts have waited for more than five minutes to arrive at the destination of your notification ${id}:`,
      shownDestination(row, { withSecret: false }),
      waiting,
      `GET /deliveries?notification_id=${id}&status=pending shows them. To be notified by another channel as well, connect a notification to the event notification_failing.`,
    ],
  };
}

export function failedProbeNotice(row: About): Notice {
  const id = row.notification_id;
  return {
    subject: `A probe of notification ${id} failed`,
    paragraphs: [
      `A probe of your notification ${id} did not arrive, so alerts would not arrive either:`,
      shownDestination(row, { withSecret: false }),
      `GET /deliveries?notification_id=${id}&status=failed shows why. Further failed probes cause no mail until a delivery arrives there.`,
    ],
  };
}

/**
 * Requires the transaction of the cause. Returns the nudge to be enqueued after the commit; none if the owner has no
 * address.
 */
export async function insertNotice(
  connection: PoolConnection,
  row: DeliveryRow,
  { subject, paragraphs }: Notice,
  nowMs: number,
): Promise<DeliveryNudge[]> {
  const [users] = await connection.query<RowDataPacket[]>('SELECT email FROM users WHERE id = ?', [row.owner_id]);
  const address = String(users[0]?.email ?? '');
  if (address === '') return [];
  const deliveryId = await insertDelivery(connection, {
    ownerId: row.owner_id,
    notificationId: row.notification_id,
    kind: 'notice',
    type: 'email' satisfies ChannelType,
    destination: address,
    text: paragraphs.join('\n\n'),
    details: { subject },
    nextAttemptMs: nowMs,
    createdMs: nowMs,
  });
  return [{ deliveryId, ownerId: row.owner_id, attempts: 0, priority: 0, cause: 'trigger' }];
}

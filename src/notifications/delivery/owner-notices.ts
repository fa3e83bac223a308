import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { shownDestination } from '../notifications/push-subscription';
import type { DeliveryRow } from './attempt';
import type { ChannelType } from './channels';
import { insertDelivery } from './delivery-rows';

export type NoticeKind = 'switched-off' | 'gone' | 'failing' | 'late' | 'probe-failed';

/** Sentences about the notification `id`: before the destination, and after it. */
interface NoticeText {
  subject: string;
  before: string;
  after: string;
}

const OFF = 'The notification is switched off now: triggers and events send nothing there any more.';

const TEXTS: Record<NoticeKind, (id: number) => NoticeText> = {
  'switched-off': (id) => ({
    subject: `Notification ${id} was switched off`,
    before: `Nothing has arrived at the destination of your notification ${id} for five days:`,
    after: `${OFF}\n\nWhen the destination works again, test it with POST /notifications/${id}/test, then set "enabled" of the notification.`,
  }),
  gone: (id) => ({
    subject: `Notification ${id} was switched off`,
    before: `A browser takes no more alerts of your notification ${id}. Its subscription has ended at:`,
    after: `${OFF}\n\nIf you still want alerts in that browser, open the page Notifications of the console in it, and subscribe again.`,
  }),
  failing: (id) => ({
    subject: `Notification ${id} is failing`,
    before: `Nothing has arrived at the destination of your notification ${id} for two and a half days:`,
    after: `After five days without success the notification is switched off.\n\nGET /deliveries?notification_id=${id}&status=failed shows what failed. When the destination works again, test it with POST /notifications/${id}/test.`,
  }),
  late: (id) => ({
    subject: `Critical alerts of notification ${id} wait`,
    before: `Critical alerts have waited for more than five minutes to arrive at the destination of your notification ${id}:`,
    after: `GET /deliveries?notification_id=${id}&status=pending shows them. To be notified by another channel as well, connect a notification to the event notification_failing.`,
  }),
  'probe-failed': (id) => ({
    subject: `A probe of notification ${id} failed`,
    before: `A probe of your notification ${id} did not arrive, so alerts would not arrive either:`,
    after: `GET /deliveries?notification_id=${id}&status=failed shows why. Further failed probes cause no mail until a delivery arrives there.`,
  }),
};

export interface Notice {
  kind: NoticeKind;
  /** Which alerts wait, and for what. */
  waiting?: readonly string[];
}

/**
 * Mails the owner. The endpoint of a subscription is a secret: the mail shows only its origin. Requires the transaction
 * of the cause. Returns the nudge to be enqueued after the commit; none if the owner has no address.
 */
export async function insertNotice(
  connection: PoolConnection,
  row: DeliveryRow,
  { kind, waiting = [] }: Notice,
  nowMs: number,
): Promise<DeliveryNudge[]> {
  const [users] = await connection.query<RowDataPacket[]>('SELECT email FROM users WHERE id = ?', [row.owner_id]);
  const address = String(users[0]?.email ?? '');
  if (address === '') return [];
  const { subject, before, after } = TEXTS[kind](row.notification_id);
  const paragraphs = [before, shownDestination(row, { withSecret: false }), ...waiting, after];
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

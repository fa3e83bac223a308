import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { Language } from '../../platform/words/language';
import { type Text, Words } from '../../platform/words/words';
import { shownDestination } from '../notifications/push-subscription';
import type { DeliveryRow } from './attempt';
import type { ChannelType } from './channels';
import { insertDelivery } from './delivery-rows';

export type NoticeKind = 'switched-off' | 'gone' | 'failing' | 'late' | 'probe-failed';

/** Paragraphs about the notification: before the destination, and after it. */
interface NoticeTexts {
  subject: Text;
  before: Text;
  after: readonly Text[];
}

const OFF = 'The notification is switched off now: triggers and events send nothing there any more.';

const TEXTS = {
  'switched-off': {
    subject: 'Notification {id} was switched off',
    before: 'Nothing has arrived at the destination of your notification {id} for five days:',
    after: [
      OFF,
      'When the destination works again, test it with POST /notifications/{id}/test, then set "enabled" of the notification.',
    ],
  },
  gone: {
    subject: 'Notification {id} was switched off',
    before: 'A browser takes no more alerts of your notification {id}. Its subscription has ended at:',
    after: [
      OFF,
      'If you still want alerts in that browser, open the page Notifications of the console in it, and subscribe again.',
    ],
  },
  failing: {
    subject: 'Notification {id} is failing',
    before: 'Nothing has arrived at the destination of your notification {id} for two and a half days:',
    after: [
      'After five days without success the notification is switched off.',
      'GET /deliveries?notification_id={id}&status=failed shows what failed. When the destination works again, test it with POST /notifications/{id}/test.',
    ],
  },
  late: {
    subject: 'Critical alerts of notification {id} wait',
    before:
      'Critical alerts have waited for more than five minutes to arrive at the destination of your notification {id}:',
    after: [
      'GET /deliveries?notification_id={id}&status=pending shows them. To be notified by another channel as well, connect a notification to the event notification_failing.',
    ],
  },
  'probe-failed': {
    subject: 'A probe of notification {id} failed',
    before: 'A probe of your notification {id} did not arrive, so alerts would not arrive either:',
    after: [
      'GET /deliveries?notification_id={id}&status=failed shows why. Further failed probes cause no mail until a delivery arrives there.',
    ],
  },
} as const satisfies Record<NoticeKind, NoticeTexts>;

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
  const [[owner]] = await connection.query<(RowDataPacket & { email: string; language: Language | null })[]>(
    'SELECT email, language FROM users WHERE id = ?',
    [row.owner_id],
  );
  const address = owner?.email ?? '';
  if (address === '') return [];
  const words = Words.in(owner?.language);
  const { subject, before, after } = TEXTS[kind];
  const id = { id: row.notification_id };
  const paragraphs = [
    ...[words.t(before, id), shownDestination(row, { withSecret: false })],
    ...[...waiting.map((text) => words.said(text)), ...after.map((text) => words.t(text, id))],
  ];
  const deliveryId = await insertDelivery(connection, {
    ownerId: row.owner_id,
    notificationId: row.notification_id,
    kind: 'notice',
    type: 'email' satisfies ChannelType,
    destination: address,
    text: paragraphs.join('\n\n'),
    details: { subject: words.t(subject, id) },
    nextAttemptMs: nowMs,
    createdMs: nowMs,
  });
  return [{ deliveryId, ownerId: row.owner_id, attempts: 0, priority: 0, cause: 'trigger' }];
}

import type { PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { ChannelType } from './channels';
import { insertDelivery } from './delivery-rows';

/** A mail of the platform, in the language of its reader, for the layout of alerts. */
export interface WrittenMail {
  subject: string;
  heading: string;
  remark: string;
  facts: readonly { name: string; lines: readonly string[] }[];
  links: readonly { label: string; url: string }[];
}

/** In place of a notification. */
const NO_NOTIFICATION = 0;

/** Requires the transaction of its cause. Start the nudges after the commit. */
export async function insertReport(
  connection: PoolConnection,
  { ownerId, address, mail }: { ownerId: number; address: string; mail: WrittenMail },
  nowMs: number,
): Promise<DeliveryNudge[]> {
  const deliveryId = await insertDelivery(connection, {
    ...{ ownerId, notificationId: NO_NOTIFICATION, kind: 'report' },
    ...{ type: 'email' satisfies ChannelType, destination: address, text: mail.subject, details: mail },
    ...{ nextAttemptMs: nowMs, createdMs: nowMs },
  });
  return [{ deliveryId, ownerId, attempts: 0, priority: 0, cause: 'trigger' }];
}

import type { OutgoingDelivery } from '../channels/channel';
import { readReplacedSecrets, signingSecrets } from '../domain/signing-secrets';
import { unsubscribeToken } from '../domain/unsubscribe-token';
import type { DeliveryRow } from './attempt';
import { wasAskedFor } from './delivery-wake-up';

/** What a channel needs of a delivery, from its row joined with its notification. */
export function toOutgoing(row: DeliveryRow, publicUrl: string, nowMs: number): OutgoingDelivery {
  const secret = row.signing_secret as string; // without one it does not go out: `whyNotSent`
  return {
    ...(hasSubscriber(row) ? { unsubscribeUrl: unsubscribeUrl(row, secret, publicUrl) } : {}),
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    destination: row.destination,
    text: row.text,
    form: formOf(row),
    subject: subjectOf(row),
    signingSecrets: signingSecrets(secret, readReplacedSecrets(row.replaced_secrets), nowMs),
  };
}

/** A mail to the owner about the notification itself is nobody's subscription. */
function hasSubscriber(row: DeliveryRow): boolean {
  return row.type === 'email' && row.mail_subject === null;
}

function unsubscribeUrl(row: DeliveryRow, secret: string, publicUrl: string): string {
  const subscription = { notificationId: row.notification_id, destination: row.destination };
  return `${publicUrl}/unsubscribe?token=${unsubscribeToken(subscription, secret)}`;
}

/** The form fields that the specification names, for a trigger, an event, or a try-out of the notification. */
function formOf(row: DeliveryRow): Record<string, string> {
  const { text } = row;
  if (row.event !== null) {
    return {
      event: row.event,
      ...(row.subject_id === null ? {} : { subject_id: String(row.subject_id) }),
      ...(row.source_id === null ? {} : { source_id: String(row.source_id) }),
      user_id: String(row.owner_id),
      ...(text === '' ? {} : { text }),
    };
  }
  if (row.trigger_id === null) return { text };
  return { sensor_id: String(row.sensor_id), trigger_id: String(row.trigger_id), text };
}

function subjectOf(row: DeliveryRow): string {
  if (row.mail_subject !== null) return row.mail_subject;
  if (row.event !== null) return `Event ${row.event}`;
  if (row.trigger_id === null) return 'Test of a notification';
  return `Trigger ${row.trigger_id} fired on sensor ${row.sensor_id}`;
}

/** Why a delivery must not go out at all, or null when it may. */
export function whyNotSent(row: DeliveryRow): string | null {
  if (row.signing_secret === null) return 'the notification was deleted';
  if (row.enabled || wasAskedFor(row)) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}

import type { RowDataPacket } from 'mysql2/promise';
import type { OutgoingDelivery } from '../channels/channel';
import { readReplacedSecrets, signingSecrets } from '../domain/signing-secrets';
import { unsubscribeToken } from '../domain/unsubscribe-token';

/** What a channel needs of a delivery, from its row joined with its notification. */
export function toOutgoing(row: RowDataPacket, publicUrl: string, nowMs: number): OutgoingDelivery {
  return {
    ...(hasSubscriber(row) ? { unsubscribeUrl: unsubscribeUrl(row, publicUrl) } : {}),
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    destination: row.destination,
    text: row.text,
    form: formOf(row),
    subject: subjectOf(row),
    signingSecrets: signingSecrets(row.signing_secret, readReplacedSecrets(row.replaced_secrets), nowMs),
  };
}

/** A mail to the owner about the notification itself is nobody's subscription. */
function hasSubscriber(row: RowDataPacket): boolean {
  return row.type === 'email' && row.mail_subject === null;
}

function unsubscribeUrl(row: RowDataPacket, publicUrl: string): string {
  const subscription = { notificationId: Number(row.notification_id), destination: String(row.destination) };
  return `${publicUrl}/unsubscribe?token=${unsubscribeToken(subscription, String(row.signing_secret))}`;
}

/** The form fields that the specification names, for a trigger, an event, or a try-out of the notification. */
function formOf(row: RowDataPacket): Record<string, string> {
  const text = String(row.text);
  if (row.event !== null) {
    return {
      event: String(row.event),
      ...(row.subject_id === null ? {} : { subject_id: String(row.subject_id) }),
      ...(row.source_id === null ? {} : { source_id: String(row.source_id) }),
      user_id: String(row.owner_id),
      ...(text === '' ? {} : { text }),
    };
  }
  if (row.trigger_id === null) return { text };
  return { sensor_id: String(row.sensor_id), trigger_id: String(row.trigger_id), text };
}

function subjectOf(row: RowDataPacket): string {
  if (row.mail_subject !== null) return String(row.mail_subject);
  if (row.event !== null) return `Event ${row.event}`;
  if (row.trigger_id === null) return 'Test of a notification';
  return `Trigger ${row.trigger_id} fired on sensor ${row.sensor_id}`;
}

/** Why a delivery must not go out at all, or null when it may. */
export function whyNotSent(row: RowDataPacket): string | null {
  if (row.signing_secret === null) return 'the notification was deleted';
  // What is neither of a trigger nor of an event was asked for: a try-out, or a mail to the owner about this very thing.
  const wasAskedFor = row.event === null && row.trigger_id === null;
  if (row.enabled || wasAskedFor) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}

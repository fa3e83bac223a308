import type { Alert } from '../rules/alert';
import type { Digest } from '../rules/digest';
import { digestText } from '../rules/digest-text';
import { readReplacedSecrets, signingSecrets } from '../rules/signing-secrets';
import type { DeliveryRow } from './attempt';
import type { DeliveryCause, OutgoingDelivery } from './channels/channel';
import { isSentWhileOff } from './delivery-nudge';

/** The data of a delivery that a lease and its sender add to its row. */
export interface OutgoingExtras {
  unsubscribeUrl?: string;
  acknowledgeUrl?: string;
  alert?: Alert;
  digest?: Digest;
}

/** Builds the input of any channel from a delivery's row, joined with its notification. */
export function toOutgoing(
  row: DeliveryRow,
  { unsubscribeUrl, acknowledgeUrl, alert, digest }: OutgoingExtras,
  nowMs: number,
): OutgoingDelivery {
  const secret = row.signing_secret as string; // a delivery without a secret is not sent: `whyNotSent`
  const cause: DeliveryCause = digest ? { kind: 'digest', digest } : causeOf(row);
  return {
    id: row.id,
    webhookId: row.webhook_id,
    destination: row.destination,
    text: digest ? digestText(digest) : row.text,
    cause,
    ...(alert && { alert }),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    format: row.format ?? 'form',
    createdMs: row.created_ms,
    ...(cause.kind === 'notice' || unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
    signingSecrets: signingSecrets(secret, readReplacedSecrets(row.replaced_secrets), nowMs),
  };
}

function causeOf(row: DeliveryRow): DeliveryCause {
  if (row.mail_subject !== null) return { kind: 'notice', subject: row.mail_subject };
  if (row.event !== null) {
    const { event, subject_id: subjectId, source_id: sourceId, owner_id: userId } = row;
    return { kind: 'event', event, subjectId, sourceId, userId };
  }
  if (row.trigger_id === null) return { kind: 'test' };
  const isResolved = Boolean(row.resolved);
  return { kind: 'trigger', sensorId: Number(row.sensor_id), triggerId: row.trigger_id, isResolved };
}

/** Why a delivery must not be sent at all, or null if it may. */
export function whyNotSent(row: DeliveryRow): string | null {
  if (row.signing_secret === null) return 'the notification was deleted';
  if (row.sensor_id !== null && row.present_sensor_id === null) return 'the sensor was deleted';
  if (row.trigger_id !== null && row.present_trigger_id === null) return 'the trigger was deleted';
  if (row.enabled || isSentWhileOff(row)) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}

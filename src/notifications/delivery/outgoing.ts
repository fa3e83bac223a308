import type { SecretBox } from '../../platform/secret-box';
import { Words } from '../../platform/words/words';
import { kindOf } from '../kinds';
import { openPushKeys, type PushKeys } from '../notifications/push-subscription';
import { notificationToken } from '../notifications/recipient-token';
import { openSecrets } from '../notifications/sealed-values';
import { readReplacedSecrets, signingSecrets } from '../notifications/signing-secrets';
import { forState, type ReportedState, type WebhookMethod } from '../requests/webhook-request';
import type { Alert } from './alert';
import { showsAlert } from './alerts';
import type { DeliveryRow } from './attempt';
import { receiverOf } from './channels';
import type { DeliveryCause, EventNames, OutgoingDelivery, WebhookRequest } from './channels/channel';
import type { RetryLater } from './delivery-schedule';
import { wordsOf } from './delivery-words';
import { type Digest, digestText, resolvedText } from './digest';

export interface OutgoingExtras {
  unsubscribeUrl?: string | undefined;
  acknowledgeUrl?: string | undefined;
  firstMailId?: string | undefined;
  alert?: Alert | undefined;
  digest?: Digest | undefined;
  names?: EventNames | undefined;
}

export class OutgoingBuilder {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly publicUrl: string,
  ) {}

  /** Returns an outcome if a secret cannot be decrypted: a later attempt may have the right key. */
  build(row: DeliveryRow, extras: OutgoingExtras, nowMs: number): OutgoingDelivery | RetryLater {
    try {
      return this.outgoingOf(row, extras, nowMs);
    } catch (error) {
      if (error instanceof Error) return { kind: 'retry-later', reason: error.message, ours: true };
      throw error;
    }
  }

  private outgoingOf(row: DeliveryRow, extras: OutgoingExtras, nowMs: number): OutgoingDelivery {
    const { unsubscribeUrl, firstMailId, alert, digest, names } = extras;
    const words = wordsOf(row);
    const cause = causeOf(row, { digest, names });
    const acknowledgeUrl = extras.acknowledgeUrl ?? this.acknowledgeUrlOf(row);
    const request = row.type === 'url' ? this.requestOf(row) : undefined;
    const pushKeys = this.pushKeysOf(row);
    return {
      id: row.id,
      ownerId: row.owner_id,
      webhookId: row.webhook_id,
      destination: row.destination,
      text: digest ? digestText(digest, words) : textOf(row, alert, words),
      cause,
      ...(alert && { alert }),
      ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
      ...(firstMailId !== undefined && { firstMailId }),
      ...(request && { request }),
      ...(pushKeys && { pushKeys }),
      format: row.format ?? 'form',
      createdMs: row.created_ms,
      ownerTimezone: row.owner_timezone,
      words,
      ...((cause.kind === 'notice' && !cause.mail) || unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
      // `whyNotSent` refuses a delivery without a secret, unless it is a mail of the account.
      signingSecrets: signingSecrets(row.signing_secret ?? '', readReplacedSecrets(row.replaced_secrets), nowMs),
    };
  }

  /** Undefined if the browser has another subscription now. */
  private pushKeysOf({ push_keys, destination, present_destination, owner_id }: DeliveryRow): PushKeys | undefined {
    if (push_keys === null || destination !== present_destination) return undefined;
    return openPushKeys(this.secretBox, push_keys, { ownerId: owner_id, endpoint: destination });
  }

  private acknowledgeUrlOf(row: DeliveryRow): string | undefined {
    if (row.firing_id === null || !kindOf(row).isAcknowledgeable || !showsAlert(row)) return undefined;
    const link = { id: row.notification_id, firingId: row.firing_id };
    const token = notificationToken(link, (text) => this.secretBox.sign(text));
    return `${this.publicUrl}/acknowledge?token=${token}`;
  }

  /** A delivery that was created for another receiver goes without the secrets. */
  private requestOf(row: DeliveryRow): WebhookRequest {
    const isSame = row.receiver === receiverOf(row.type, row.present_destination ?? '');
    return webhookRequestOf(
      {
        ...row,
        contentType: row.content_type,
        bodyResolved: row.body_resolved,
        bodyAcknowledged: row.body_acknowledged,
        caCertificate: row.ca_certificate,
      },
      kindOf(row).reports,
      (sealed) => (isSame ? openSecrets(this.secretBox, sealed, row.owner_id) : {}),
    );
  }
}

/** What the platform itself wrote, of a probe or instead of an absent text, is in the language of the delivery. */
function textOf({ kind, text }: DeliveryRow, alert: Alert | undefined, words: Words): string {
  if (kind === 'probe') return words.said(text);
  if (kind !== 'end' || !alert) return text;
  const named = { trigger: alert.trigger.name, sensor: alert.sensor.name };
  return text === resolvedText(named, Words.english) ? resolvedText(named, words) : text;
}

interface StoredRequest {
  method: string | null;
  headers: string | null;
  secrets: string | null;
  contentType: string | null;
  body: string | null;
  bodyResolved: string | null;
  bodyAcknowledged: string | null;
  caCertificate: string | null;
  success: string | null;
}

/** `open` decrypts a stored record. */
export function webhookRequestOf(
  {
    method,
    headers,
    secrets,
    contentType,
    body,
    bodyResolved,
    bodyAcknowledged,
    caCertificate,
    success,
  }: StoredRequest,
  state: ReportedState,
  open: (sealed: string | null) => Record<string, string>,
): WebhookRequest {
  return {
    method: (method ?? 'POST') as WebhookMethod, // the column holds nothing else
    headers: open(headers),
    secrets: open(secrets),
    contentType,
    body: forState(state, { firing: body, resolved: bodyResolved, acknowledged: bodyAcknowledged }),
    caCertificate,
    success,
  };
}

function causeOf(row: DeliveryRow, { digest, names }: Pick<OutgoingExtras, 'digest' | 'names'>): DeliveryCause {
  const cause: DeliveryCause | undefined = digest ? { kind: 'digest', digest } : kindOf(row).causeOf(row, names);
  if (!cause) throw new Error(`the digest ${row.id} was not read`);
  return cause;
}

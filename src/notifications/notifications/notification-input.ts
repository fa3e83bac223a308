import { randomBytes } from 'node:crypto';
import { textProblem } from '../../language/notification-text';
import { InvalidInput } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { Notification } from '../../storage/models/notification.model';
import type { ChannelType } from '../delivery/channels';
import { probing } from '../delivery/probe';
import type { WebhookFormat } from '../delivery/webhook-format';
import type { WebhookInput } from '../requests/webhook-request';
import { changedTarget, newTarget, type TargetInput } from './notification-target';
import { applyWebhook, DEFAULT_REQUEST } from './webhook-settings';

/** Undefined means not given. */
export interface NotificationInput extends TargetInput {
  text?: string;
  person?: string | null;
  format?: WebhookFormat;
  digest?: boolean;
  /** The period in seconds; null for no probes. */
  probe?: number | null;
  enabled?: boolean;
  preset?: string;
  webhook?: WebhookInput;
}

export interface NewNotificationInput extends NotificationInput {
  type: ChannelType;
}

/** Stores nothing. InvalidInput names the wrong field. */
export function buildNotification(
  ownerId: number,
  input: NewNotificationInput,
  { box, nowMs }: { box: SecretBox; nowMs: number },
): Notification {
  const target = newTarget(input, ownerId, box);
  requireText(input.text);
  const created = Notification.build({
    ownerId,
    ...target,
    text: input.text ?? '',
    person: input.person ?? null,
    format: input.format ?? 'form',
    digest: input.digest ?? null,
    signingSecret: newSigningSecret(),
    replacedSecrets: null,
    enabled: true,
    disabledReason: null,
    ...DEFAULT_REQUEST,
    preset: input.preset ?? null,
    createdMs: nowMs,
    ...probing(input.probe ?? null, nowMs),
  });
  applyWebhook(created, input.webhook ?? {}, box);
  return created;
}

/** Stores nothing. InvalidInput names the wrong field. */
export function applyInput(found: Notification, input: NotificationInput, box: SecretBox): void {
  requireText(input.text);
  found.set({
    ...changedTarget(found, input, box),
    text: input.text ?? found.text,
    person: input.person === undefined ? found.person : input.person,
    format: input.format ?? found.format,
    digest: input.digest ?? found.digest,
  });
  applyWebhook(found, input.webhook ?? {}, box);
}

/** Standard Webhooks: 24 to 64 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function requireText(text: string | undefined): void {
  const problem = textProblem(text ?? '');
  if (problem) throw InvalidInput.field('notification.text', problem);
}

import { receiverOf } from '../../delivery/channels';
import { InvalidInput } from '../../platform/errors';
import { sealSecrets } from '../../rules/sealed-values';
import type { SecretBox } from '../../rules/secret-box';
import {
  bodyOf,
  findHeaderProblem,
  findRequestProblem,
  findSecretProblem,
  HIDDEN,
  type RequestProblem,
  readRecord,
  storedBody,
  type WebhookInput,
  type WebhookRequestInput,
} from '../../rules/webhook-request';
import { withoutUndefined } from '../../rules/without-undefined';
import type { Notification } from '../../storage/models/notification.model';

/** The columns of a notification whose owner does not shape its requests. */
export const DEFAULT_REQUEST = {
  ...{ preset: null, method: null, headers: null, secrets: null, contentType: null, body: null, bodyResolved: null },
  ...{ destinationResolved: null, bodyAcknowledged: null, destinationAcknowledged: null, caCertificate: null },
};

/**
 * Sets the given fields of a notification and checks all of them together with its destination. InvalidInput names the
 * refused field. Secrets and headers are bound to a receiver: a new one needs their values again.
 */
export function applyWebhook(notification: Notification, input: WebhookInput, box: SecretBox): void {
  const isGiven = Object.values(input).some((value) => value !== undefined);
  if (notification.type !== 'url') {
    if (isGiven) throw InvalidInput.field('notification.type', 'must be url to shape the request');
    notification.set(DEFAULT_REQUEST);
    return;
  }
  applySealed(notification, 'headers', input.headers, box);
  applySealed(notification, 'secrets', input.secrets, box);
  applyRequest(notification, input, { withSecrets: isGiven || notification.changed('destination') === true });
  requireHost(notification, 'destination_resolved', notification.destinationResolved);
  requireHost(notification, 'destination_acknowledged', notification.destinationAcknowledged);
}

/** A change of other fields is not refused for a template that reads a secret which does not exist. */
function applyRequest(
  notification: Notification,
  input: WebhookInput,
  { withSecrets }: { withSecrets: boolean },
): void {
  const secretNames = new Set(Object.keys(readRecord(notification.secrets)));
  const after = { ...requestOf(notification), ...withoutUndefined(input), ...(withSecrets && { secretNames }) };
  refuse(findRequestProblem(after));
  notification.set({
    method: input.method ?? notification.method,
    contentType: after.contentType,
    body: storedBody(after.contentType, after.body),
    bodyResolved: storedBody(after.contentType, after.bodyResolved),
    bodyAcknowledged: storedBody(after.contentType, after.bodyAcknowledged),
    destinationResolved: after.destinationResolved,
    destinationAcknowledged: after.destinationAcknowledged,
    caCertificate: after.caCertificate,
  });
}

/** The request as the checks read it. */
function requestOf(notification: Notification): WebhookRequestInput {
  const { destination, destinationResolved, destinationAcknowledged, contentType, caCertificate } = notification;
  return {
    ...{ destination, destinationResolved, destinationAcknowledged, contentType, caCertificate },
    body: bodyOf(contentType, notification.body),
    bodyResolved: bodyOf(contentType, notification.bodyResolved),
    bodyAcknowledged: bodyOf(contentType, notification.bodyAcknowledged),
  };
}

function applySealed(
  notification: Notification,
  field: 'headers' | 'secrets',
  values: Readonly<Record<string, string>> | undefined,
  box: SecretBox,
): void {
  const stored = notification[field];
  const isMoved = notification.changed('destination') && !isSameReceiver(notification);
  const kept = Object.entries(values ?? {}).filter(([, value]) => value === HIDDEN);
  if (isMoved && (kept[0] || (values === undefined && stored !== null))) {
    const name = kept[0] ? `${field}.${kept[0][0]}` : field;
    throw InvalidInput.field(`notification.${name}`, 'must be given again for another receiver');
  }
  const missing = kept.find(([name]) => readRecord(stored)[name] === undefined);
  if (missing) {
    throw InvalidInput.field(
      `notification.${field}.${missing[0]}`,
      `must be given: no value is stored for ${HIDDEN} to keep`,
    );
  }
  if (values === undefined) return;
  refuse(field === 'headers' ? findHeaderProblem(values) : findSecretProblem(values));
  notification[field] = sealSecrets(box, values, notification.ownerId, stored);
}

/** True if the destination has the host of the previous one, or if there was none. */
function isSameReceiver(notification: Notification): boolean {
  const previous: unknown = notification.previous('destination');
  return typeof previous !== 'string' || receiverOf('url', previous) === receiverOf('url', notification.destination);
}

function requireHost({ destination }: Notification, field: string, further: string | null): void {
  if (further === null || receiverOf('url', further) === receiverOf('url', destination)) return;
  throw InvalidInput.field(`notification.${field}`, 'must have the host of the destination');
}

function refuse(problem: RequestProblem | undefined): void {
  if (problem) throw InvalidInput.field(`notification.${problem.field}`, problem.error);
}

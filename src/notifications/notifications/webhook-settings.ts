import { InvalidInput } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Notification } from '../../storage/models/notification.model';
import { receiverOf } from '../delivery/channels';
import {
  bodyOf,
  findHeaderProblem,
  findHeaderSizeProblem,
  findRequestProblem,
  findSecretProblem,
  HIDDEN,
  type RequestProblem,
  readRecord,
  storedBody,
  type WebhookInput,
  type WebhookRequestInput,
} from '../requests/webhook-request';
import { bytesOfSecrets, hideSecrets, sealSecrets } from './sealed-values';

/** Columns of a notification whose owner does not shape its requests. */
export const DEFAULT_REQUEST = {
  ...{
    preset: null,
    method: null,
    headers: null,
    secrets: null,
    contentType: null,
    caCertificate: null,
    success: null,
  },
  ...{ body: null, bodyResolved: null, bodyAcknowledged: null },
  ...{ destinationResolved: null, destinationAcknowledged: null },
};

/**
 * Checks the given fields with the destination. InvalidInput names the field. Secrets and headers are bound to a
 * receiver: a new one needs their values again.
 */
export function applyWebhook(notification: Notification, input: WebhookInput, box: SecretBox): void {
  const isGiven = Object.values(input).some((value) => value !== undefined);
  if (notification.type !== 'url') {
    if (isGiven) throw InvalidInput.field('notification.type', 'must be url to shape the request');
    notification.set(DEFAULT_REQUEST);
    return;
  }
  requireValues(notification, input);
  applySealed(notification, 'headers', input.headers, box);
  applySealed(notification, 'secrets', input.secrets, box);
  applyRequest(notification, input, { withSecrets: isGiven || notification.changed('destination') === true });
  requireHost(notification, 'destination_resolved', notification.destinationResolved);
  requireHost(notification, 'destination_acknowledged', notification.destinationAcknowledged);
}

/** A change of other fields may keep a template that reads a missing secret. */
function applyRequest(
  notification: Notification,
  input: WebhookInput,
  { withSecrets }: { withSecrets: boolean },
): void {
  const secretNames = new Set(Object.keys(readRecord(notification.secrets)));
  const after = { ...requestOf(notification), ...withoutUndefined(input), ...(withSecrets && { secretNames }) };
  refuse(findRequestProblem(after));
  const { contentType, destinationResolved, destinationAcknowledged, caCertificate, success } = after;
  notification.set({
    method: input.method ?? notification.method,
    ...{ contentType, destinationResolved, destinationAcknowledged, caCertificate, success },
    body: storedBody(contentType, after.body),
    bodyResolved: storedBody(contentType, after.bodyResolved),
    bodyAcknowledged: storedBody(contentType, after.bodyAcknowledged),
  });
}

function requestOf(notification: Notification): WebhookRequestInput {
  const { destination, destinationResolved, destinationAcknowledged, contentType, caCertificate, success } =
    notification;
  return {
    ...{ destination, destinationResolved, destinationAcknowledged, contentType, caCertificate, success },
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
  if (values === undefined) return;
  refuse(field === 'headers' ? findHeaderProblem(values) : findSecretProblem(values));
  notification[field] = sealSecrets(box, values, notification.ownerId, notification[field]);
  // Headers from before the limit can be kept, but not changed.
  const isChanged = Object.values(values).some((value) => value !== HIDDEN);
  if (field === 'headers' && isChanged) refuse(findHeaderSizeProblem(bytesOfSecrets(notification.headers)));
}

/** A new receiver needs all values; otherwise only stored values can stay hidden. */
function requireValues(notification: Notification, input: WebhookInput): void {
  const isMoved = notification.changed('destination') && !isSameReceiver(notification);
  const paths = (['headers', 'secrets'] as const).flatMap((field) => {
    const stored = readRecord(notification[field]);
    const given = input[field] ?? (isMoved ? hideSecrets(notification[field]) : {});
    const kept = Object.keys(given).filter((name) => given[name] === HIDDEN);
    return kept.filter((name) => isMoved || stored[name] === undefined).map((name) => `notification.${field}.${name}`);
  });
  if (paths.length === 0) return;
  const why = isMoved
    ? 'must be given again for another receiver'
    : `must be given: no value is stored for ${HIDDEN} to keep`;
  throw new InvalidInput(`${paths.join(', ')} ${why}`, Object.fromEntries(paths.map((path) => [path, why])));
}

/** True if the host is unchanged, or the notification is new. */
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

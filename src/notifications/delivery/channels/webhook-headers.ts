import type { Steps } from '../../../platform/steps';
import { FORM_TYPE } from '../../requests/webhook-body';
import { HIDDEN } from '../../requests/webhook-request';
import type { ShownRequest } from '../shown-request';
import type { OutgoingDelivery } from './channel';
import { webhookContentOf } from './webhook-content';

/** A header of the owner replaces one of the platform. */
export function webhookHeaders(
  { webhookId, request }: OutgoingDelivery,
  contentType: string,
  signed: { atMs: number; signature: string },
): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(signed.atMs / 1000)),
    'webhook-signature': signed.signature,
    'user-agent': 'sensor-data-platform',
    ...lowerCased(request?.headers ?? {}),
    'content-type': contentType,
  };
}

/** Requires a delivery whose secrets are hidden. Has no signature. */
export function* showWebhook(delivery: OutgoingDelivery, publicUrl: string): Steps<ShownRequest> {
  const { url, contentType, body, note } = yield* webhookContentOf(delivery, publicUrl);
  return {
    method: delivery.request?.method ?? 'POST',
    url: readable(url ?? delivery.destination),
    contentType,
    headers: webhookHeaders(delivery, contentType, { atMs: delivery.createdMs, signature: HIDDEN }),
    body: contentType === FORM_TYPE ? readable(body) : body,
    ...(note !== undefined && { note }),
  };
}

/** Names of headers have no case. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readable(encoded: string): string {
  return encoded.replaceAll(encodeURIComponent(HIDDEN), HIDDEN);
}

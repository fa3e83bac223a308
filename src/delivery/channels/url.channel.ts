import { Webhook } from 'standardwebhooks';
import type { AttemptOutcome } from '../../rules/delivery-schedule';
import { AddressGuard } from './address-guard';
import type { Channel, ChannelContext, ChannelDescriptor, OutgoingDelivery } from './channel';
import { GuardedHttp } from './guarded-http';
import { hiderFor } from './hidden-values';
import { isServerFailure } from './http-outcome';
import { checkUrl, hostAndPortOf } from './url-destination';
import { type WebhookContent, webhookContentOf } from './webhook-content';

/** Posts notifications to a URL as signed forms or signed JSON. */
export const urlChannel: ChannelDescriptor = {
  checkDestination: checkUrl,
  receiverOf: hostAndPortOf,
  isReceiverFailure: isServerFailure,
  showsAlert: (format) => format === 'json',
  open: ({ allowNetworks, ...context }) => new UrlChannel(new AddressGuard(allowNetworks), context),
};

/** Posts a form or JSON to a URL, signed according to Standard Webhooks (https://www.standardwebhooks.com). */
export class UrlChannel implements Channel {
  private readonly http: GuardedHttp;

  constructor(
    guard: AddressGuard,
    private readonly context: Pick<ChannelContext, 'clock' | 'authorities' | 'publicUrl'>,
    timeoutMs?: number,
  ) {
    this.http = new GuardedHttp(guard, context, timeoutMs);
  }

  async send(delivery: OutgoingDelivery, onSent?: () => void): Promise<AttemptOutcome> {
    const content = webhookContentOf(delivery, this.context.publicUrl);
    // Templates stand behind the host, so this never happens.
    if (hostAndPortOf(content.url) !== hostAndPortOf(delivery.destination)) throw new Error('another host');
    const request = {
      method: delivery.request?.method ?? 'POST',
      headers: this.headersFor(delivery, content),
      body: content.body,
      caCertificate: delivery.request?.caCertificate ?? null,
      hide: hiderFor(delivery),
    };
    const outcome = await this.http.send(content.url, request, onSent);
    return content.note === undefined ? outcome : { ...outcome, note: content.note };
  }

  whyRefused(destination: string): Promise<string | null> {
    return this.http.whyRefused(destination);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private headersFor(delivery: OutgoingDelivery, { contentType, body }: WebhookContent): Record<string, string> {
    const { webhookId, signingSecrets, request } = delivery;
    const now = new Date(this.context.clock.now());
    return {
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signingSecrets.map((secret) => new Webhook(secret).sign(webhookId, now, body)).join(' '),
      'user-agent': 'sensor-data-platform',
      ...lowerCased(request?.headers ?? {}),
      'content-type': contentType,
    };
  }
}

/** Names of headers have no case: an owner's header replaces one of the platform. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

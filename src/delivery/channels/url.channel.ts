import { Webhook } from 'standardwebhooks';
import { AddressGuard } from '../../outbound/address-guard';
import type { AttemptOutcome } from '../../rules/delivery-schedule';
import type { Channel, ChannelContext, ChannelDescriptor, OutgoingDelivery } from './channel';
import { GuardedHttp } from './guarded-http';
import { hiderFor } from './hidden-values';
import { isServerFailure } from './http-outcome';
import { checkUrl, hostAndPortOf } from './url-destination';
import { type WebhookContent, webhookContentOf } from './webhook-content';
import { showWebhook, webhookHeaders } from './webhook-headers';

/** Posts notifications to a URL as signed forms or signed JSON. */
export const urlChannel: ChannelDescriptor = {
  checkDestination: checkUrl,
  receiverOf: hostAndPortOf,
  isReceiverFailure: isServerFailure,
  showsAlert: (format) => format === 'json',
  show: showWebhook,
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

  private headersFor(delivery: OutgoingDelivery, content: WebhookContent): Record<string, string> {
    const { webhookId, signingSecrets } = delivery;
    const now = new Date(this.context.clock.now());
    const signature = signingSecrets.map((secret) => new Webhook(secret).sign(webhookId, now, content.body)).join(' ');
    return webhookHeaders(delivery, content.contentType, { atMs: now.getTime(), signature });
  }
}

import { Webhook } from 'standardwebhooks';
import { AddressGuard } from '../../../outbound/address-guard';
import { type Compute, inOneStep } from '../../../platform/steps';
import type { AttemptOutcome } from '../delivery-schedule';
import { atOnce, type Channel, type ChannelContext, type ChannelDescriptor, type OutgoingDelivery } from './channel';
import { GuardedHttp } from './guarded-http';
import { type Hider, hiderFor } from './hidden-values';
import { isServerFailure } from './http-outcome';
import { checkUrl, hostAndPortOf } from './url-destination';
import { type WebhookContent, webhookContentOf } from './webhook-content';
import { showWebhook, webhookHeaders } from './webhook-headers';

export const urlChannel: ChannelDescriptor = {
  checkDestination: checkUrl,
  receiverOf: hostAndPortOf,
  isReceiverFailure: isServerFailure,
  showsAlert: (format) => format === 'json',
  show: showWebhook,
  open: ({ allowNetworks, ...context }) => new UrlChannel(new AddressGuard(allowNetworks), context),
};

/** Signs according to Standard Webhooks (https://www.standardwebhooks.com). */
export class UrlChannel implements Channel {
  private readonly http: GuardedHttp;

  constructor(
    guard: AddressGuard,
    private readonly context: Pick<ChannelContext, 'clock' | 'tlsContexts' | 'publicUrl'>,
    timeoutMs?: number,
  ) {
    this.http = new GuardedHttp(guard, context, timeoutMs);
  }

  async send(delivery: OutgoingDelivery, onSent?: () => void, compute: Compute = atOnce): Promise<AttemptOutcome> {
    const content = await compute(webhookContentOf(delivery, this.context.publicUrl));
    const { url } = content;
    if (url === null || hostAndPortOf(url) !== hostAndPortOf(delivery.destination)) {
      return { kind: 'refused', reason: 'the templates of the URL cannot be used, or lead to another host' };
    }
    const hide = await compute(hiderFor(delivery));
    const request = {
      method: delivery.request?.method ?? 'POST',
      headers: await compute(inOneStep(() => this.headersFor(delivery, content))),
      body: content.body,
      caCertificate: delivery.request?.caCertificate ?? null,
      success: delivery.request?.success ?? null,
      hide: (...text: Parameters<Hider>) => compute(hide(...text)),
      ownerId: delivery.ownerId,
    };
    const outcome = await this.http.send(url, request, onSent);
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

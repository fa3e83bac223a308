import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { withTimeout } from '../../platform/with-timeout';
import type { AttemptOutcome, Exchange } from '../../rules/delivery-schedule';
import { parseUrl } from '../../rules/parse-url';
import { AddressGuard, AddressNotAllowed } from './address-guard';
import type { Channel, ChannelContext, ChannelDescriptor, OutgoingDelivery } from './channel';
import { CONNECTION_CUT, describeFailure } from './failure-reason';
import { firstText } from './first-text';
import { GuardedAgents } from './guarded-agents';
import { hiderFor } from './hidden-values';
import { isServerFailure, outcomeOfStatus, readRetryAfter } from './http-outcome';
import { takesTls } from './receiver-tls';
import { checkUrl, hasCredentials, hostAndPortOf, isHttp } from './url-destination';
import { type WebhookContent, webhookContentOf } from './webhook-content';

const MAX_RESPONSE_BYTES = 16 * 1024;
/** Bytes of each body that an exchange keeps. */
const KEPT_BYTES = 2 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;
/** How long a request that saves a destination waits for a mere warning. */
const WARNING_TIMEOUT_MS = 500;
const REFUSED =
  'this installation refuses deliveries to the address of this host, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS';

/** Posts notifications to a URL as signed forms or signed JSON. */
export const urlChannel: ChannelDescriptor = {
  checkDestination: checkUrl,
  receiverOf: hostAndPortOf,
  isReceiverFailure: isServerFailure,
  open: ({ allowNetworks, ...context }) => new UrlChannel(new AddressGuard(allowNetworks), context),
};

/**
 * Posts a form or JSON to a URL, signed according to Standard Webhooks (https://www.standardwebhooks.com). Follows no
 * redirects and allows ten seconds for the whole attempt. Connects only to addresses that the guard has checked.
 */
export class UrlChannel implements Channel {
  private readonly agents: GuardedAgents;

  constructor(
    private readonly guard: AddressGuard,
    private readonly context: Pick<ChannelContext, 'clock' | 'authorities' | 'publicUrl'>,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {
    this.agents = new GuardedAgents(guard, context.authorities);
  }

  async send(delivery: OutgoingDelivery, onSent?: () => void): Promise<AttemptOutcome> {
    const content = webhookContentOf(delivery, this.context.publicUrl);
    const url = parseUrl(content.url);
    if (!url || !isHttp(url)) return { kind: 'refused', reason: 'the URL is not valid' };
    if (hasCredentials(url)) return { kind: 'refused', reason: 'the URL holds credentials' };
    // Templates stand behind the host, so this never happens.
    if (hostAndPortOf(content.url) !== hostAndPortOf(delivery.destination)) throw new Error('another host');
    const outcome = await this.attempt(url, delivery, content, onSent);
    return content.note === undefined ? outcome : { ...outcome, note: content.note };
  }

  private async attempt(
    url: URL,
    delivery: OutgoingDelivery,
    content: WebhookContent,
    onSent?: () => void,
  ): Promise<AttemptOutcome> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const hide = hiderFor(delivery);
    const exchange: Exchange = {
      sent: firstText([Buffer.from(hide(content.body).slice(0, KEPT_BYTES + 1))], KEPT_BYTES),
      received: '',
    };
    try {
      await Promise.race([this.guard.check(url.hostname), rejectOnAbort(signal)]);
      return { ...(await this.post(url, delivery, content, { exchange, hide, signal, onSent })), exchange };
    } catch (error) {
      const failure = toOutcome(error, signal);
      const outcome = failure.kind === 'refused' ? failure : { ...failure, exchange };
      const wasCut = url.protocol === 'http:' && outcome.reason === CONNECTION_CUT;
      const isForTls = wasCut && (await takesTls(url, this.guard, signal).catch(() => false));
      return isForTls ? { ...outcome, reason: 'the port takes https only, and the URL says http' } : outcome;
    }
  }

  async whyRefused(destination: string): Promise<string | null> {
    const url = parseUrl(destination);
    if (!url) return null;
    const check = this.guard.check(url.hostname).then(
      () => null,
      (error: unknown) => (error instanceof AddressNotAllowed ? REFUSED : null),
    );
    return withTimeout(WARNING_TIMEOUT_MS, check, () => new Error('no answer in time')).catch(() => null);
  }

  close(): Promise<void> {
    return this.agents.close();
  }

  private async post(
    url: URL,
    delivery: OutgoingDelivery,
    content: WebhookContent,
    { exchange, hide, signal, onSent }: Posting,
  ): Promise<AttemptOutcome> {
    const { statusCode, headers, body } = await request(url, {
      method: delivery.request?.method ?? 'POST',
      dispatcher: this.agents.agentFor(delivery.request?.caCertificate ?? null),
      headers: this.headersFor(delivery, content),
      body: onSent ? readable(content.body, onSent) : content.body,
      signal,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
    });
    await readUpToLimit(body, (received) => {
      exchange.received = hide(received);
    });
    const retryAfter = [headers['retry-after']].flat()[0];
    return outcomeOfStatus(statusCode, readRetryAfter(retryAfter, this.context.clock.now()));
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
      'content-length': String(Buffer.byteLength(body)),
    };
  }
}

/** How a body is posted, and where the answer is noted. */
interface Posting {
  exchange: Exchange;
  /** Hides secrets in the text of an answer, which may repeat the request. */
  hide: (text: string) => string;
  signal: AbortSignal;
  onSent: (() => void) | undefined;
}

/** Names of headers have no case: an owner's header replaces one of the platform. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The body as a stream that reports when it is read: undici reads it as it writes the request to the connection. */
function readable(body: string, onRead: () => void): Readable {
  return new Readable({
    read() {
      this.push(body);
      this.push(null);
      onRead();
    },
  });
}

/**
 * Reads the response up to the limit, so that the connection can be reused, and reports its beginning. A longer response
 * is cut off.
 */
async function readUpToLimit(body: AsyncIterable<Buffer>, onRead: (beginning: string) => void): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (size <= KEPT_BYTES) chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return;
    }
  } finally {
    onRead(firstText(chunks, KEPT_BYTES));
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A short cause without addresses, queries or credentials. */
function toOutcome(error: unknown, signal: AbortSignal): Extract<AttemptOutcome, { reason: string }> {
  if (error instanceof AddressNotAllowed) return { kind: 'refused', reason: 'address-not-allowed' };
  if (signal.aborted) return { kind: 'retry-later', reason: 'timed out' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'retry-later', reason: describeFailure(code) };
}

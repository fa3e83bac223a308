import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { Clock } from '../../platform/clock';
import { withTimeout } from '../../platform/with-timeout';
import type { AttemptOutcome } from '../../rules/delivery-schedule';
import { parseUrl } from '../../rules/parse-url';
import { AddressGuard, AddressNotAllowed } from './address-guard';
import type { Channel, ChannelDescriptor, OutgoingDelivery } from './channel';
import { CONNECTION_CUT, describeFailure } from './failure-reason';
import { isServerFailure, outcomeOfStatus, readRetryAfter } from './http-outcome';
import { takesTls, trustWith } from './receiver-tls';
import { checkUrl, hasCredentials, hostAndPortOf, isHttp } from './url-destination';
import { formOf } from './webhook-form';
import { jsonOf } from './webhook-json';

const MAX_RESPONSE_BYTES = 16 * 1024;
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
  open: ({ allowNetworks, authorities, clock }) =>
    new UrlChannel(new AddressGuard(allowNetworks), clock, DEFAULT_TIMEOUT_MS, authorities),
};

/**
 * Posts a form or JSON to a URL, signed according to Standard Webhooks (https://www.standardwebhooks.com). Follows no
 * redirects and allows ten seconds for the whole attempt. Connects only to addresses that the guard has checked.
 */
export class UrlChannel implements Channel {
  private readonly agent: Agent;

  constructor(
    private readonly guard: AddressGuard,
    private readonly clock: Clock,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
    /** PEM certificates of authorities that receivers may use, in addition to those that Node trusts. */
    authorities: readonly string[] = [],
  ) {
    this.agent = new Agent({
      connect: {
        secureContext: trustWith(authorities),
        // undici resolves names here, just before it connects. It does not call this for a literal address.
        lookup: (hostname, options, callback) => {
          guard.check(hostname).then(
            (addresses) => {
              // Given all addresses, Node tries the next one if one cannot be reached.
              if (options.all) callback(null, addresses);
              else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
            },
            (error) => callback(error, '', 4),
          );
        },
      },
      pipelining: 1,
    });
  }

  async send(delivery: OutgoingDelivery, onSent?: () => void): Promise<AttemptOutcome> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const url = parseUrl(delivery.destination);
    if (!url || !isHttp(url)) return { kind: 'refused', reason: 'the URL is not valid' };
    if (hasCredentials(url)) return { kind: 'refused', reason: 'the URL holds credentials' };
    try {
      await Promise.race([this.guard.check(url.hostname), rejectOnAbort(signal)]);
      return await this.post(url, delivery, signal, onSent);
    } catch (error) {
      const outcome = toOutcome(error, signal);
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
    return this.agent.destroy();
  }

  private async post(
    url: URL,
    delivery: OutgoingDelivery,
    signal: AbortSignal,
    onSent?: () => void,
  ): Promise<AttemptOutcome> {
    const content = contentOf(delivery);
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      dispatcher: this.agent,
      headers: this.headersFor(delivery, content),
      body: onSent ? readable(content.body, onSent) : content.body,
      signal,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
    });
    await readUpToLimit(body);
    const retryAfter = [headers['retry-after']].flat()[0];
    return outcomeOfStatus(statusCode, readRetryAfter(retryAfter, this.clock.now()));
  }

  private headersFor({ webhookId, signingSecrets }: OutgoingDelivery, { type, body }: Content): Record<string, string> {
    const now = new Date(this.clock.now());
    return {
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signingSecrets.map((secret) => new Webhook(secret).sign(webhookId, now, body)).join(' '),
      'user-agent': 'sensor-data-platform',
      'content-type': type,
      'content-length': String(Buffer.byteLength(body)),
    };
  }
}

interface Content {
  type: string;
  body: string;
}

function contentOf(delivery: OutgoingDelivery): Content {
  if (delivery.format === 'json') return { type: 'application/json', body: jsonOf(delivery) };
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(formOf(delivery)).toString() };
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

/** Reads the response up to the limit, so that the connection can be reused. A longer response is cut off. */
async function readUpToLimit(body: AsyncIterable<Buffer>): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) return;
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

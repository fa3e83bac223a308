import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { Clock } from '../clock';
import type { AttemptOutcome } from '../domain/delivery-schedule';
import { parseUrl } from '../domain/parse-url';
import { type AddressGuard, AddressNotAllowed } from './address-guard';
import type { Channel, OutgoingDelivery } from './channel';
import { describeFailure } from './failure-reason';

const MAX_ANSWER_BYTES = 16 * 1024;
const DEFAULT_LIMIT_MS = 10_000;

/**
 * Posts a form to a URL, signed as Standard Webhooks says (https://www.standardwebhooks.com). No redirects, 10 seconds for
 * the whole attempt, addresses checked by the guard and then connected to as checked.
 */
export class UrlChannel implements Channel {
  private readonly agent: Agent;

  constructor(
    private readonly guard: AddressGuard,
    private readonly clock: Clock,
    private readonly limitMs = DEFAULT_LIMIT_MS,
  ) {
    this.agent = new Agent({
      connect: {
        // undici resolves here for a name, just before it connects; a literal address never comes by.
        lookup: (hostname, options, callback) => {
          guard.check(hostname).then(
            (addresses) => {
              // Given all of them, Node tries the next when one cannot be reached.
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

  async send(delivery: OutgoingDelivery, onItsWay?: () => void): Promise<AttemptOutcome> {
    const signal = AbortSignal.timeout(this.limitMs);
    try {
      const url = parseUrl(delivery.destination);
      if (!url || !/^https?:$/.test(url.protocol)) return { kind: 'refused', reason: 'the URL is not valid' };
      if (url.username !== '' || url.password !== '') return { kind: 'refused', reason: 'the URL holds credentials' };
      await Promise.race([this.guard.check(url.hostname), ended(signal)]);
      const body = new URLSearchParams(delivery.form).toString();
      const answer = await request(url, {
        method: 'POST',
        dispatcher: this.agent,
        headers: {
          ...this.headers(delivery, body),
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body)),
        },
        body: onItsWay ? telling(body, onItsWay) : body,
        signal,
        headersTimeout: this.limitMs,
        bodyTimeout: this.limitMs,
      });
      await readSome(answer.body);
      return this.judge(answer.statusCode, answer.headers['retry-after']);
    } catch (error) {
      return toOutcome(error, signal);
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private headers(delivery: OutgoingDelivery, body: string): Record<string, string> {
    const now = new Date(this.clock.now());
    const signatures = delivery.signingSecrets.map((secret) => new Webhook(secret).sign(delivery.webhookId, now, body));
    return {
      'webhook-id': delivery.webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
      'user-agent': 'sensor-data-platform',
    };
  }

  private judge(statusCode: number, retryAfter: string | string[] | undefined): AttemptOutcome {
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode };
    if (statusCode === 410) return { kind: 'refused', reason: 'the receiver is gone for good', statusCode };
    const reason = `the receiver answered ${statusCode}`;
    const retryAfterMs = this.readRetryAfter(typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0]);
    return { kind: 'retry-later', reason, statusCode, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }

  /** Seconds or a date (RFC 9110, 10.2.3). */
  private readRetryAfter(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : Math.max(0, date - this.clock.now());
  }
}

/** The body, which tells when it is read: undici does so as it writes the request to its connection. */
function telling(body: string, onRead: () => void): Readable {
  return new Readable({
    read() {
      this.push(body);
      this.push(null);
      onRead();
    },
  });
}

/** Reads the answer up to the limit, so that the connection can be used again; the rest is cut off. */
async function readSome(body: AsyncIterable<Buffer>): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return;
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A short cause without addresses, queries or credentials. */
function toOutcome(error: unknown, signal: AbortSignal): AttemptOutcome {
  if (error instanceof AddressNotAllowed) return { kind: 'refused', reason: 'address-not-allowed' };
  if (signal.aborted) return { kind: 'retry-later', reason: 'timed out' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'retry-later', reason: describeFailure(code) };
}

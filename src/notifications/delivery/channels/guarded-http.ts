import { Readable } from 'node:stream';
import { request } from 'undici';
import { type AddressGuard, AddressNotAllowed } from '../../../outbound/address-guard';
import { CONNECTION_CUT, describeFailure } from '../../../outbound/failure-reason';
import { parseUrl } from '../../../platform/parse-url';
import { withTimeout } from '../../../platform/with-timeout';
import type { WebhookMethod } from '../../requests/webhook-request';
import type { AttemptOutcome, Exchange } from '../delivery-schedule';
import type { ChannelContext } from './channel';
import { firstText } from './first-text';
import { GuardedAgents } from './guarded-agents';
import type { Hider } from './hidden-values';
import { judged, outcomeOfStatus, readRetryAfter } from './http-outcome';
import { takesTls } from './receiver-tls';
import { hasCredentials, isHttp } from './url-destination';

const MAX_RESPONSE_BYTES = 16 * 1024;
const KEPT_BYTES = 2 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;
/** A request that saves a destination waits this long for a mere warning. */
const WARNING_TIMEOUT_MS = 500;
const REFUSED =
  'this installation refuses deliveries to the address of this host, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS';

/** The sender adds `content-length`. */
export interface HttpRequest {
  method: WebhookMethod;
  headers: Record<string, string>;
  body: string | Buffer;
  ownerId: number;
  /** PEM certificate; null for the trusted authorities. */
  caCertificate: string | null;
  /** An expression over the answer; absent or null for any 2xx. */
  success?: string | null;
  /** Hides secrets in the exchange: an answer may repeat the request. Without it no exchange is kept. */
  hide?: (...text: Parameters<Hider>) => Promise<string>;
}

/**
 * Sends requests to URLs that users choose. Follows no redirects, ends an attempt after ten seconds, and reads little
 * of the response. Connects only to addresses that the guard has checked.
 */
export class GuardedHttp {
  private readonly agents: GuardedAgents;

  constructor(
    private readonly guard: AddressGuard,
    private readonly context: Pick<ChannelContext, 'clock' | 'tlsContexts'>,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {
    this.agents = new GuardedAgents(guard, context.tlsContexts);
  }

  /**
   * Never throws because of the receiver: the outcome names the cause, without addresses, queries or credentials. Calls
   * `onSent` once the request is written.
   */
  async send(destination: string, request: HttpRequest, onSent?: () => void): Promise<AttemptOutcome> {
    const url = parseUrl(destination);
    if (!url || !isHttp(url)) return { kind: 'refused', reason: 'the URL is not valid' };
    if (hasCredentials(url)) return { kind: 'refused', reason: 'the URL holds credentials' };
    const exchange = await exchangeOf(request);
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      await Promise.race([this.guard.check(url.hostname), rejectOnAbort(signal)]);
      return { ...(await this.attempt(url, request, exchange, { signal, onSent })), ...(exchange && { exchange }) };
    } catch (error) {
      const failure = toOutcome(error, signal);
      const outcome = failure.kind === 'refused' || !exchange ? failure : { ...failure, exchange };
      const wasCut = url.protocol === 'http:' && outcome.reason === CONNECTION_CUT;
      const isForTls = wasCut && (await takesTls(url, this.guard, signal).catch(() => false));
      return isForTls ? { ...outcome, reason: 'the port takes https only, and the URL says http' } : outcome;
    }
  }

  /** Null if this installation does not refuse, or if that is not known in time. */
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

  private async attempt(
    url: URL,
    { method, headers, body, ownerId, caCertificate, success = null, hide }: HttpRequest,
    exchange: Exchange | undefined,
    { signal, onSent }: { signal: AbortSignal; onSent: (() => void) | undefined },
  ): Promise<AttemptOutcome> {
    const response = await request(url, {
      method,
      dispatcher: this.agents.agentFor(ownerId, caCertificate),
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body: onSent ? readable(body, onSent) : body,
      signal,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
    });
    let answer = '';
    await readUpToLimit(response.body, async (chunks, isCut) => {
      if (success !== null) answer = firstText(chunks, MAX_RESPONSE_BYTES);
      if (exchange && hide) exchange.received = await beginningOf(chunks, isCut, hide);
    });
    const retryAfter = [response.headers['retry-after']].flat()[0];
    const outcome = outcomeOfStatus(response.statusCode, readRetryAfter(retryAfter, this.context.clock.now()));
    return success === null ? outcome : judged(outcome, success, { status: response.statusCode, body: answer });
  }
}

/** undici reads the stream as it writes the request to the connection. */
function readable(body: string | Buffer, onRead: () => void): Readable {
  return new Readable({
    read() {
      this.push(body);
      this.push(null);
      onRead();
    },
  });
}

/** Undefined if no exchange is kept. */
async function exchangeOf({ body, hide }: HttpRequest): Promise<Exchange | undefined> {
  if (!hide) return undefined;
  const beginning = await hide(body.toString(), KEPT_BYTES + 1, false);
  return { sent: firstText([Buffer.from(beginning)], KEPT_BYTES), received: '' };
}

/** Reads up to the limit, so that the connection can be reused, and cuts off the rest. */
async function readUpToLimit(
  body: AsyncIterable<Buffer>,
  onRead: (chunks: Buffer[], isCut: boolean) => Promise<void>,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = true;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return;
    }
    isCut = false;
  } finally {
    await onRead(chunks, isCut);
  }
}

/** Hides secrets before the cut. */
async function beginningOf(
  chunks: readonly Buffer[],
  isCut: boolean,
  hide: NonNullable<HttpRequest['hide']>,
): Promise<string> {
  const hidden = await hide(firstText(chunks, MAX_RESPONSE_BYTES), KEPT_BYTES + 1, isCut);
  const beginning = firstText(chunks, KEPT_BYTES);
  return hidden.startsWith(beginning) ? beginning : firstText([Buffer.from(hidden)], KEPT_BYTES);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Contains no addresses, queries or credentials. */
function toOutcome(error: unknown, signal: AbortSignal): Extract<AttemptOutcome, { reason: string }> {
  if (error instanceof AddressNotAllowed)
    return { kind: 'refused', reason: 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)' };
  if (signal.aborted) return { kind: 'retry-later', reason: 'timed out' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'retry-later', reason: describeFailure(code) };
}

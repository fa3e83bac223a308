import { generateRequestDetails } from 'web-push';
import { AddressGuard } from '../../../outbound/address-guard';
import { parseUrl } from '../../../platform/parse-url';
import { type Compute, inOneStep } from '../../../platform/steps';
import type { PushKeys } from '../../notifications/push-subscription';
import { HIDDEN } from '../../requests/webhook-request';
import type { AttemptOutcome } from '../delivery-schedule';
import { atOnce, type Channel, type ChannelContext, type ChannelDescriptor, type OutgoingDelivery } from './channel';
import { GuardedHttp, type HttpRequest } from './guarded-http';
import { isServerFailure } from './http-outcome';
import { handlingOf, pushMessageOf } from './push-message';
import { checkUrl, hostAndPortOf } from './url-destination';

/** Seconds for which the service keeps a message for an offline browser. */
const TIME_TO_LIVE = 86_400;
/** A subscription has ended (RFC 8030, 7.3). */
const ENDED: ReadonlySet<number | undefined> = new Set([404, 410]);

type VapidPair = Awaited<ReturnType<ChannelContext['vapidPair']>>;

export const pushChannel: ChannelDescriptor = {
  checkDestination: (endpoint) =>
    checkUrl(endpoint) ?? (parseUrl(endpoint)?.protocol === 'https:' ? null : 'must be an https URL'),
  receiverOf: (endpoint) => `push ${hostAndPortOf(endpoint)}`,
  isReceiverFailure: isServerFailure,
  showsAlert: () => true,
  show: (delivery, publicUrl) =>
    inOneStep(() => ({
      method: 'POST',
      // The holder of the endpoint could try to send there.
      url: `${parseUrl(delivery.destination)?.origin}/${HIDDEN}`,
      contentType: 'application/json',
      headers: { ttl: String(TIME_TO_LIVE), ...handlingOf(delivery) },
      body: pushMessageOf(delivery, publicUrl),
    })),
  open: ({ allowNetworks, ...context }) =>
    new PushChannel(new GuardedHttp(new AddressGuard(allowNetworks), context), context),
};

/** Encrypts messages (RFC 8030, RFC 8291) and signs them with the keys of the installation (RFC 8292). */
export class PushChannel implements Channel {
  private readonly subject: string;

  constructor(
    private readonly http: GuardedHttp,
    private readonly parts: Pick<ChannelContext, 'publicUrl' | 'vapidPair'>,
  ) {
    this.subject = subjectOf(parts.publicUrl);
  }

  async send(delivery: OutgoingDelivery, onSent?: () => void, compute: Compute = atOnce): Promise<AttemptOutcome> {
    const { pushKeys, destination } = delivery;
    if (!pushKeys) return { kind: 'refused', reason: 'the browser has another subscription now' };
    const problem = pushChannel.checkDestination(destination);
    if (problem !== null) return { kind: 'refused', reason: `the endpoint ${problem}` };
    let request: HttpRequest;
    try {
      const pair = await this.parts.vapidPair();
      request = await compute(inOneStep(() => this.encrypt(delivery, pushKeys, pair)));
    } catch {
      // The error may hold keys. Nothing was sent, and the receiver is not at fault.
      return {
        kind: 'retry-later',
        reason: 'the message could not be encrypted: was SECRETS_KEY replaced?',
        ours: true,
      };
    }
    const outcome = await this.http.send(destination, request, onSent);
    if (outcome.kind === 'delivered' || !ENDED.has(outcome.statusCode)) return outcome;
    const { statusCode } = outcome;
    return { kind: 'refused', reason: 'the subscription of the browser has ended', ...{ statusCode }, isGone: true };
  }

  whyRefused(endpoint: string): Promise<string | null> {
    return this.http.whyRefused(endpoint);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private encrypt(delivery: OutgoingDelivery, keys: PushKeys, pair: VapidPair): HttpRequest {
    const { destination: endpoint } = delivery;
    const vapidDetails = { ...pair, subject: this.subject };
    const options = { ...handlingOf(delivery), TTL: TIME_TO_LIVE, vapidDetails };
    const message = pushMessageOf(delivery, this.parts.publicUrl);
    const { headers, body } = generateRequestDetails({ endpoint, keys }, message, options);
    const { 'Content-Length': _length, ...others } = headers;
    const texts = Object.entries(others).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { method: 'POST', headers: Object.fromEntries(texts), body, caCertificate: null, ownerId: delivery.ownerId };
  }
}

/** Push services can reach the operator there. */
function subjectOf(publicUrl: string): string {
  const { protocol, hostname, origin } = new URL(publicUrl);
  return protocol === 'https:' && hostname !== 'localhost' ? origin : `mailto:postmaster@${hostname}`;
}

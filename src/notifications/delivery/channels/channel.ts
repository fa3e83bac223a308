import type { TlsContexts } from '../../../outbound/tls-contexts';
import type { Clock } from '../../../platform/clock';
import { type Compute, finish, type Steps } from '../../../platform/steps';
import type { PushKeys } from '../../notifications/push-subscription';
import type { WebhookMethod } from '../../requests/webhook-request';
import type { Alert } from '../alert';
import type { AttemptOutcome, RetryLater } from '../delivery-schedule';
import type { Digest } from '../digest';
import type { ShownRequest } from '../shown-request';
import type { WebhookFormat } from '../webhook-format';
import type { MailTransport } from './mail-transport';

/** The names of the subject and the source of an event, where they are known. */
export interface EventNames {
  subject?: string;
  source?: string;
}

/** The cause of a delivery. Each channel puts it into its own format. */
export type DeliveryCause =
  /** A firing, the end of its episode, or its acknowledgement. */
  | { kind: 'trigger'; sensorId: number; triggerId: number; isResolved?: boolean; isAcknowledged?: boolean }
  | {
      kind: 'event';
      event: string;
      subjectId: number | null;
      sourceId: number | null;
      userId: number;
      names?: EventNames;
    }
  /** Firings and ends of episodes beyond the limit of one minute. */
  | { kind: 'digest'; digest: Digest }
  /** A test that its owner asked for, or a probe that the clock made. */
  | { kind: 'test'; isProbe?: boolean }
  /** A message to the owner of a notification about the notification itself. */
  | { kind: 'notice'; subject: string };

/** A request to a URL as the owner of the notification shapes it. */
export interface WebhookRequest {
  method: WebhookMethod;
  headers: Readonly<Record<string, string>>;
  /** What templates read as `secrets.name`. */
  secrets: Readonly<Record<string, string>>;
  /** The content type of `body`; null for JSON. */
  contentType: string | null;
  /** The template of the body, as stored; null for the body of the format. */
  body: string | null;
  /** PEM certificates of the authority of the receiver; null for the trusted ones. */
  caCertificate: string | null;
  /** An expression over the answer that says what a success is; null for any 2xx. */
  success: string | null;
}

/** A delivery, ready to be sent by any channel. */
export interface OutgoingDelivery {
  id: number;
  /** The user whose notification it is. */
  ownerId: number;
  /** The same for every attempt, permanently: receivers use it to recognise repeats. */
  webhookId: string;
  destination: string;
  text: string;
  cause: DeliveryCause;
  /** The firing or test, for channels that show more than the text; absent for all other causes, and for forms. */
  alert?: Alert;
  /** Format of the body that a URL gets. */
  format: WebhookFormat;
  createdMs: number;
  /** The time zone of the owner's account; null if it has none. */
  ownerTimezone: string | null;
  /**
   * URL where the recipient of a mail can unsubscribe from this user; absent for a notice, which has no subscribers.
   */
  unsubscribeUrl?: string;
  /** URL where the recipient can acknowledge the firing, by a POST without a session; absent for all other deliveries. */
  acknowledgeUrl?: string;
  /** The id of the first mail about the same episode to the same address; absent for that one, and for other channels. */
  firstMailId?: string;
  /** Absent for channels other than URLs. */
  request?: WebhookRequest;
  /** `whsec_…`, newest first. */
  signingSecrets: string[];
  /** The keys of a browser; absent for all other channels, and if the browser has another subscription now. */
  pushKeys?: PushKeys;
}

/** Computes without a pause and charges nobody. */
export const atOnce: Compute = async (steps) => finish(steps);

/** An open channel, which sends deliveries. */
export interface Channel {
  /**
   * Makes one attempt. Never throws because of external failures: the outcome names the cause. Calls `onSent` as soon
   * as no later delivery to the same receiver can overtake this one, if the channel can determine that. Everything that
   * may take a millisecond is computed by `compute`.
   */
  send(delivery: OutgoingDelivery, onSent?: () => void, compute?: Compute): Promise<AttemptOutcome>;
  /**
   * Why this installation currently refuses to deliver there, naming the setting; null if it does not refuse, or if
   * this is not known in time.
   */
  whyRefused?(destination: string): Promise<string | null>;
  close(): Promise<void>;
}

/** The settings and services that channels are opened with. */
export interface ChannelContext {
  clock: Clock;
  /** Networks in CIDR notation that deliveries may reach although they are not public. */
  allowNetworks: readonly string[];
  /** What connections to receivers trust. */
  tlsContexts: Pick<TlsContexts, 'contextFor'>;
  /** Shared with the platform's own mails, so its owner closes it, not the channel. */
  mailTransport: MailTransport;
  /** The base URL of the platform, for links to its console. */
  publicUrl: string;
  /** The keys that sign requests to push services, in base64url. */
  vapidPair(): Promise<{ publicKey: string; privateKey: string }>;
}

/** Everything that the platform needs to know about a channel. The table of all channels is in `index.ts`. */
export interface ChannelDescriptor {
  /** Why a notification cannot be sent to this destination, or null if it can. Resolves no names. */
  checkDestination(destination: string): string | null;
  /**
   * The receiver of a destination, for example `example.org:443`, in ASCII. Attempts to one receiver share its permits
   * and its failures, so two channels must never name the same one. Must not throw, whatever the destination.
   */
  receiverOf(destination: string): string;
  /**
   * True if a failed attempt shows that the receiver is overloaded or unreachable, rather than that it rejects this one
   * delivery. Slow attempts always count as such; this is not called for them.
   */
  isReceiverFailure(outcome: RetryLater): boolean;
  /** True if it shows the firing in addition to the text; for others it is not read. */
  showsAlert(format: WebhookFormat): boolean;
  /** What the channel would send. Shows the secrets of the delivery as they are: hide them first. */
  show(delivery: OutgoingDelivery, publicUrl: string): Steps<ShownRequest>;
  /** Opens the channel. Connections are made when first needed. */
  open(context: ChannelContext): Channel;
}

import type { Clock } from '../../platform/clock';
import type { Alert } from '../../rules/alert';
import type { AttemptOutcome, RetryLater } from '../../rules/delivery-schedule';
import type { Digest } from '../../rules/digest';
import type { WebhookFormat } from '../../rules/webhook-format';
import type { MailTransport } from './mail-transport';

/** What a delivery is about. Each channel puts it into its own format. */
export type DeliveryCause =
  /** A firing, or the end of its episode. */
  | { kind: 'trigger'; sensorId: number; triggerId: number; isResolved?: boolean }
  | { kind: 'event'; event: string; subjectId: number | null; sourceId: number | null; userId: number }
  /** Firings, and ends of episodes, that were too many for one minute. */
  | { kind: 'digest'; digest: Digest }
  | { kind: 'test' }
  /** A message to the owner of a notification about the notification itself. */
  | { kind: 'notice'; subject: string };

/** One delivery, ready to be sent by any channel. */
export interface OutgoingDelivery {
  id: number;
  /** The same for every attempt, permanently: receivers recognise repeats by it. */
  webhookId: string;
  destination: string;
  text: string;
  cause: DeliveryCause;
  /** What a firing or test is about, for channels that say more than the text; absent for all other causes, and for forms. */
  alert?: Alert;
  /** Of the body that a URL gets. */
  format: WebhookFormat;
  createdMs: number;
  /** Where the recipient of a mail can end the mails of this user; absent for a notice, which nobody subscribes to. */
  unsubscribeUrl?: string;
  /** Where the recipient of a mail about a firing can say that they know. */
  acknowledgeUrl?: string;
  /** `whsec_…`, the newest first. */
  signingSecrets: string[];
}

/** An open channel, which sends deliveries. */
export interface Channel {
  /**
   * Makes one attempt. Never throws because of the outside world: the outcome names the cause. A channel that can
   * determine it calls `onSent` as soon as no later delivery to the same receiver can overtake this one.
   */
  send(delivery: OutgoingDelivery, onSent?: () => void): Promise<AttemptOutcome>;
  /** Why this installation would not deliver there as things are now, naming the setting; null when it would, or that is not known in time. */
  whyRefused?(destination: string): Promise<string | null>;
  close(): Promise<void>;
}

/** What channels are opened with. */
export interface ChannelContext {
  clock: Clock;
  /** Networks in CIDR notation that deliveries may reach although they are not public. */
  allowNetworks: readonly string[];
  /** Certificates in PEM of authorities that receivers of webhooks may have, in addition to those that Node trusts. */
  authorities: readonly string[];
  /** Shared with the platform's own mails, so its owner closes it, not the channel. */
  mailTransport: MailTransport;
  /** The address of the platform, for links to its console. */
  publicUrl: string;
}

/** Everything that the platform needs to know about a channel. The table of all channels is in `index.ts`. */
export interface ChannelDescriptor {
  /** Why a notification cannot be sent to this destination, or null when it can. Resolves no names. */
  checkDestination(destination: string): string | null;
  /**
   * Who answers for a destination, `example.org:443` for instance, in ASCII. Attempts to one receiver share its permits and
   * its failures, so two channels must never name the same one. Must not throw, whatever the destination.
   */
  receiverOf(destination: string): string;
  /**
   * Whether a failed attempt shows that the receiver is overloaded or unreachable, rather than that it rejects this
   * one delivery. Slow attempts count as such without being asked about.
   */
  isReceiverFailure(outcome: RetryLater): boolean;
  /** Opens the channel; connections are made when first needed. */
  open(context: ChannelContext): Channel;
}

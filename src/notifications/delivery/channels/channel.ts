import type { TlsContexts } from '../../../outbound/tls-contexts';
import type { Clock } from '../../../platform/clock';
import { type Compute, finish, type Steps } from '../../../platform/steps';
import type { Words } from '../../../platform/words/words';
import type { PushKeys } from '../../notifications/push-subscription';
import type { WebhookMethod } from '../../requests/webhook-request';
import type { Alert } from '../alert';
import type { AttemptOutcome, RetryLater } from '../delivery-schedule';
import type { Digest } from '../digest';
import type { ShownRequest } from '../shown-request';
import type { WebhookFormat } from '../webhook-format';
import type { WrittenMail } from '../written-mails';
import type { MailTransport } from './mail-transport';

export interface EventNames {
  subject?: string;
  source?: string;
}

export type DeliveryCause =
  | { kind: 'trigger'; sensorId: number; triggerId: number; isResolved?: boolean; isAcknowledged?: boolean }
  | {
      kind: 'event';
      event: string;
      subjectId: number | null;
      sourceId: number | null;
      userId: number;
      names?: EventNames;
    }
  | { kind: 'digest'; digest: Digest }
  /** Asked for by its owner, or made by the clock as a probe. */
  | { kind: 'test'; isProbe?: boolean }
  | { kind: 'notice'; subject: string; mail?: WrittenMail };

export interface WebhookRequest {
  method: WebhookMethod;
  headers: Readonly<Record<string, string>>;
  /** Templates read them as `secrets.name`. */
  secrets: Readonly<Record<string, string>>;
  /** null for JSON. */
  contentType: string | null;
  /** null for the body of the format. */
  body: string | null;
  /** PEM certificates; null for the trusted authorities. */
  caCertificate: string | null;
  /** An expression over the answer; null for any 2xx. */
  success: string | null;
}

export interface OutgoingDelivery {
  id: number;
  ownerId: number;
  /** Identical for every attempt: receivers use it to recognize repeats. */
  webhookId: string;
  destination: string;
  text: string;
  cause: DeliveryCause;
  /** Absent unless the delivery shows a firing or a test. */
  alert?: Alert;
  format: WebhookFormat;
  createdMs: number;
  ownerTimezone: string | null;
  /** In the owner's language, and English for a body that programs read. */
  words: Words;
  /** Only mails have one, except notices about a notification. */
  unsubscribeUrl?: string;
  /** A POST without a session acknowledges the firing. Only firings have one. */
  acknowledgeUrl?: string;
  /** First mail about the episode to the address; absent for that mail. */
  firstMailId?: string;
  request?: WebhookRequest;
  /** `whsec_…`, newest first. */
  signingSecrets: string[];
  /** Absent if the browser has another subscription now. */
  pushKeys?: PushKeys;
}

/** Computes without a pause and charges nobody. */
export const atOnce: Compute = async (steps) => finish(steps);

export interface Channel {
  /**
   * Never throws because of external failures. Calls `onSent` as soon as no later delivery can overtake this one, if
   * the channel knows. What may take a millisecond goes through `compute`.
   */
  send(delivery: OutgoingDelivery, onSent?: () => void, compute?: Compute): Promise<AttemptOutcome>;
  /**
   * Why this installation refuses to deliver there, with the setting; null if it does not, or if that is not known in
   * time.
   */
  whyRefused?(destination: string): Promise<string | null>;
  close(): Promise<void>;
}

export interface ChannelContext {
  clock: Clock;
  /** Networks in CIDR notation that deliveries may reach although they are not public. */
  allowNetworks: readonly string[];
  tlsContexts: Pick<TlsContexts, 'contextFor'>;
  /** The platform's own mails use it, so the channel does not close it. */
  mailTransport: MailTransport;
  publicUrl: string;
  /** Keys that sign requests to push services; base64url. */
  vapidPair(): Promise<{ publicKey: string; privateKey: string }>;
}

/** Everything that the platform must know about a channel. The table is in `index.ts`. */
export interface ChannelDescriptor {
  /** Null if the destination is allowed. Resolves no names. */
  checkDestination(destination: string): string | null;
  /**
   * For example `example.org:443`, in ASCII. Attempts to one receiver share permits, so two channels must never name
   * the same one. Never throws.
   */
  receiverOf(destination: string): string;
  /** True if the receiver is overloaded or unreachable. Slow attempts always count, without a call. */
  isReceiverFailure(outcome: RetryLater): boolean;
  /** True if the channel shows the firing in addition to the text. */
  showsAlert(format: WebhookFormat): boolean;
  /** Shows secrets as they are: hide them first. */
  show(delivery: OutgoingDelivery, publicUrl: string): Steps<ShownRequest>;
  /** Makes connections when first needed. */
  open(context: ChannelContext): Channel;
}

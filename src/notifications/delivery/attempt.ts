import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { WebhookMethod } from '../requests/webhook-request';
import type { AttemptOutcome } from './delivery-schedule';
import type { WebhookFormat } from './webhook-format';

/** A delivery joined with its notification and the failures of its receiver, either of which may be missing. */
export interface DeliveryRow {
  id: number;
  webhook_id: string;
  owner_id: number;
  notification_id: number;
  /** A channel of `CHANNELS`. */
  type: string;
  destination: string;
  receiver: string | null;
  text: string;
  /** What it shows, as JSON, if it is stored: see the model. */
  details: string | null;
  /** Subject of a mail to the owner about the notification itself; null for all other deliveries. */
  mail_subject: string | null;
  status: 'pending' | 'delivered' | 'failed';
  priority: number;
  firing_id: number | null;
  /** True if the delivery reports the end of the firing's episode. */
  resolved: 0 | 1;
  /** True if the severity of its trigger is critical; of a digest, if one of its deliveries is critical. */
  critical: 0 | 1;
  /** The first firing of the episode whose acknowledgement it reports; `firing_id` is null then. */
  acknowledges: number | null;
  /** True if the first attempt was planned for a time in the episode. */
  escalation: 0 | 1;
  /** True if the first attempt was planned for the end of a mute; also of a digest after a mute. */
  after_mute: 0 | 1;
  /** True if the clock made it, to prove that the notification arrives. */
  probe: 0 | 1;
  sensor_id: number | null;
  trigger_id: number | null;
  /**
   * The digest that contains this delivery, and its status. The id is null for a delivery outside a digest; the status
   * is also null if the digest no longer exists.
   */
  digest_id: number | null;
  digest_status: 'pending' | 'delivered' | 'failed' | null;
  /** Start of a digest's minute; null for all other deliveries. */
  digest_minute_ms: number | null;
  event: string | null;
  subject_id: number | null;
  source_id: number | null;
  attempts: number;
  next_attempt_ms: number | null;
  /** Which limit postpones it, in words; null if none does. */
  waits_for: string | null;
  claimed_until_ms: number | null;
  /** How many attempts were begun since the last one that was recorded: their processes died. */
  begun: number;
  received_ms: number | null;
  stored_ms: number | null;
  evaluated_ms: number | null;
  created_ms: number;
  sent_ms: number | null;
  signing_secret: string | null;
  replaced_secrets: string | null;
  /** Null if the notification is gone, like all columns below. */
  format: WebhookFormat | null;
  /** The request that its owner shapes: see the model. */
  method: WebhookMethod | null;
  headers: string | null;
  secrets: string | null;
  content_type: string | null;
  body: string | null;
  body_resolved: string | null;
  body_acknowledged: string | null;
  ca_certificate: string | null;
  success: string | null;
  /** Also null if the channel decides. */
  digest: 0 | 1 | null;
  enabled: 0 | 1 | null;
  disabled_reason: string | null;
  failing_since_ms: number | null;
  warned_ms: number | null;
  /** Until when the receiver asks for no requests of this notification (429). */
  limited_until_ms: number | null;
  proven_ms: number | null;
  /** Null as well if the notification pushes to no browser. */
  push_keys: string | null;
  /** Since when the owner's account is disabled; null if it is not. */
  owner_disabled_ms: number | null;
  /** The time zone of the owner's account; null if it has none. */
  owner_timezone: string | null;
  present_destination: string | null;
  present_sensor_id: number | null;
  present_trigger_id: number | null;
  failures: number | null;
  /** When an operator paused the receiver. */
  paused_ms: number | null;
}

/** Why a delivery waits, in words for its owner, and until when. */
export interface Wait {
  untilMs: number;
  reason: string;
}

/** The exclusive right to make the next attempt of a delivery. */
export interface Lease {
  row: DeliveryRow;
  /** Identifies the lease in the row. Unique. */
  token: number;
  /** The permit of the receiver, or null if the attempt needs none. */
  permit: number | null;
  /** True if the receiver was degraded when the lease was made. */
  isDegraded: boolean;
}

export type AttemptResult = 'delivered' | 'failed' | 'will-retry';

/** One attempt, as observed by its sender. */
export interface Attempt {
  outcome: AttemptOutcome;
  startedMs: number;
  durationMs: number;
}

/** An attempt on its way through the stages (`attempt-stages.ts`), and what each of them has added. */
export interface AttemptContext {
  readonly row: DeliveryRow;
  /** Called when no later attempt can overtake this one, if the channel can determine that. */
  readonly onSent?: () => void;
  /** Why the delivery must not be sent at all. It then needs no permit of its receiver. */
  whyNotSent: string | null;
  /** URL where the recipient of a mail can unsubscribe; absent for all other channels. */
  unsubscribeUrl?: string | undefined;
  /** URL where the recipient of a mail about a firing can acknowledge it; other channels have a link of their own. */
  acknowledgeUrl?: string | undefined;
  /** Set while the attempt holds a lease. */
  lease?: Lease;
  /** Set once the attempt has been made. */
  attempt?: Attempt;
  /** Deliveries that the attempt has made due, and its own retry. */
  readonly nudges: DeliveryNudge[];
}

/** Why an attempt ended. `throttled`: it waits for a permit. `postponed`: something else has to come first. */
export type AttemptEnd = AttemptResult | 'not-due' | 'throttled' | 'postponed';

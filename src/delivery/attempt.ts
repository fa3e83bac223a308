import type { AttemptOutcome } from '../rules/delivery-schedule';
import type { WebhookFormat } from '../rules/webhook-format';

/** A delivery joined with its notification and with the failures of its receiver, either of which may be missing. */
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
  /** What a test is about, as JSON; null for all other deliveries. */
  details: string | null;
  /** The subject of a mail to the owner about the notification itself; null for all other deliveries. */
  mail_subject: string | null;
  status: 'pending' | 'delivered' | 'failed';
  priority: number;
  firing_id: number | null;
  /** Whether it says that the episode of the firing has ended. */
  resolved: 0 | 1;
  sensor_id: number | null;
  trigger_id: number | null;
  /** The digest in which it goes out; null for all others, as its status where it is gone. */
  digest_id: number | null;
  digest_status: 'pending' | 'delivered' | 'failed' | null;
  /** When the minute of a digest began; null for all other deliveries. */
  digest_minute_ms: number | null;
  event: string | null;
  subject_id: number | null;
  source_id: number | null;
  attempts: number;
  next_attempt_ms: number | null;
  claimed_until_ms: number | null;
  received_ms: number | null;
  stored_ms: number | null;
  evaluated_ms: number | null;
  created_ms: number;
  sent_ms: number | null;
  signing_secret: string | null;
  replaced_secrets: string | null;
  /** Null when the notification is gone, as all that follows. */
  format: WebhookFormat | null;
  /** Null, too, where its channel decides. */
  digest: 0 | 1 | null;
  enabled: 0 | 1 | null;
  disabled_reason: string | null;
  failing_since_ms: number | null;
  present_destination: string | null;
  present_sensor_id: number | null;
  present_trigger_id: number | null;
  failures: number | null;
  /** Since when an operator has paused its receiver. */
  paused_ms: number | null;
}

/** The exclusive right to make the next attempt of a delivery. */
export interface Lease {
  row: DeliveryRow;
  /** Identifies the lease in the row; no other lease has the same. */
  token: number;
  /** Why the delivery must not be sent at all; then it needs no permit of its receiver. */
  whyNotSent: string | null;
  /** Where the recipient of a mail can unsubscribe; absent for all other channels. */
  unsubscribeUrl?: string;
  /** Where the recipient of a mail about a firing can acknowledge it. */
  acknowledgeUrl?: string;
  /** The permit of the receiver that it holds, if it needs one. */
  permit: number | null;
  /** Whether the receiver was degraded when the lease was made. */
  isDegraded: boolean;
}

/** The state of a delivery after an attempt. */
export type AttemptResult = 'delivered' | 'failed' | 'will-retry';

/** One attempt, as its sender observed it. */
export interface Attempt {
  outcome: AttemptOutcome;
  startedMs: number;
  durationMs: number;
}

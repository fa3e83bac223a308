import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { Language } from '../../platform/words/language';
import type { DeliveryKind } from '../../storage/models/delivery.model';
import type { WebhookMethod } from '../requests/webhook-request';
import type { AttemptOutcome } from './delivery-schedule';
import type { WebhookFormat } from './webhook-format';

/** The notification and the failures of the receiver may be missing. */
export interface DeliveryRow {
  id: number;
  webhook_id: string;
  owner_id: number;
  notification_id: number;
  kind: DeliveryKind;
  type: string;
  destination: string;
  receiver: string | null;
  text: string;
  /** JSON: see the model. */
  details: string | null;
  status: 'pending' | 'delivered' | 'failed';
  priority: number;
  /** The first of the episode if it was acknowledged or has ended. */
  firing_id: number | null;
  /** For a digest, true if one of its deliveries is critical. */
  critical: 0 | 1;
  /** True if the first attempt was planned for a time in the episode. */
  escalation: 0 | 1;
  /** True if the first attempt was planned for the end of a mute. */
  after_mute: 0 | 1;
  sensor_id: number | null;
  trigger_id: number | null;
  /** The status is also null if the digest no longer exists. */
  digest_id: number | null;
  digest_status: 'pending' | 'delivered' | 'failed' | null;
  /** Null unless it is a digest. */
  digest_minute_ms: number | null;
  event: string | null;
  subject_id: number | null;
  source_id: number | null;
  attempts: number;
  next_attempt_ms: number | null;
  /** A limit, in words. */
  waits_for: string | null;
  lease_until_ms: number | null;
  /** Number of attempts whose processes died, since the last recorded one. */
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
  /** Until when the receiver wants no requests (429). */
  limited_until_ms: number | null;
  proven_ms: number | null;
  /** Also null if the notification pushes to no browser. */
  push_keys: string | null;
  owner_disabled_ms: number | null;
  owner_timezone: string | null;
  owner_language: Language | null;
  present_destination: string | null;
  present_text: string | null;
  present_sensor_id: number | null;
  present_trigger_id: number | null;
  failures: number | null;
  paused_ms: number | null;
}

export interface Wait {
  untilMs: number;
  reason: string;
}

/** The exclusive right to make the next attempt of a delivery. */
export interface Lease {
  row: DeliveryRow;
  token: number;
  /** Null if the attempt needs no permit. */
  permit: number | null;
  isDegraded: boolean;
}

export type AttemptResult = 'delivered' | 'failed' | 'will-retry';

export interface Attempt {
  outcome: AttemptOutcome;
  startedMs: number;
  durationMs: number;
}

/** An attempt, and what its stages (`attempt-stages.ts`) have added. */
export interface AttemptContext {
  readonly row: DeliveryRow;
  /** Called when no later attempt can overtake this one, if the channel knows. */
  readonly onSent?: () => void;
  whyNotSent: string | null;
  unsubscribeUrl?: string | undefined;
  /** Only mails have it: other channels make their own link. */
  acknowledgeUrl?: string | undefined;
  lease?: Lease;
  attempt?: Attempt;
  /** Includes the retry of the attempt. */
  readonly nudges: DeliveryNudge[];
}

/** `throttled` waits for a permit, `postponed` for something else. */
export type AttemptEnd = AttemptResult | 'not-due' | 'throttled' | 'postponed';

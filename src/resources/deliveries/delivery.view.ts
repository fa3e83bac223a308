import type { ChannelType } from '../../delivery/channels';
import type { EventName } from '../../rules/event-catalogue';
import type { Delivery } from '../../storage/models/delivery.model';
import type { DeliveryAttempt } from '../../storage/models/delivery-attempt.model';
import { toUnixSeconds, toUnixSecondsOrNull } from '../formats/dates';

/** Pending, delivered, or failed for good. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** An attempt of a delivery. */
export interface AttemptView {
  /**
   * Unix seconds.
   * @example 1795229545.2
   */
  date: number;
  /**
   * The status code of the receiver; `null` if there was no response.
   * @isInt
   * @example 200
   */
  status_code: number | null;
  /**
   * @isInt
   * @example 38
   */
  duration_ms: number;
  /**
   * Why it failed; `""` if it did not.
   * @example ""
   */
  error: string;
  /**
   * Which expressions in the templates of its request could not be evaluated, and why; `""` if all could.
   * @example ""
   */
  note: string;
}

/**
 * The time at which a delivery passed each stage, in unix seconds with milliseconds; `null` for a stage that it did not
 * pass.
 */
export interface DeliveryTiming {
  /**
   * The upload with the data point that fired the trigger was received.
   * @example 1795229544.812
   */
  received: number | null;
  /**
   * The data point was stored.
   * @example 1795229544.815
   */
  stored: number | null;
  /**
   * The trigger was evaluated.
   * @example 1795229544.83
   */
  evaluated: number | null;
  /**
   * The delivery was created; for an event or a test this is the first stage.
   * @example 1795229544.834
   */
  queued: number;
  /**
   * Its last attempt started.
   * @example 1795229544.84
   */
  sent: number | null;
  /**
   * The receiver answered that attempt.
   * @example 1795229544.878
   */
  answered: number | null;
}

/** One firing or event going to one destination. */
export interface DeliveryView {
  /** @example "311" */
  id: string;
  /** @example "7" */
  notification_id: string;
  /** @example "url" */
  type: ChannelType;
  /** @example "https://example.org/alerts" */
  destination: string;
  /** @example "delivered" */
  status: DeliveryStatus;
  /**
   * @isInt
   * @example 0
   */
  priority: number;
  /**
   * True if it reports the end of an episode.
   * @example false
   */
  resolved: boolean;
  /**
   * True if it reports that the alert was acknowledged.
   * @example false
   */
  acknowledged: boolean;
  /** @example "42" */
  sensor_id: string | null;
  /** @example "5" */
  trigger_id: string | null;
  /**
   * The name of the event; `""` for a trigger and a test.
   * @example ""
   */
  event: EventName | '';
  /** @example null */
  subject_id: string | null;
  /** @example null */
  source_id: string | null;
  /** @example "greenhouse: 31.2" */
  text: string;
  /**
   * Unix seconds.
   * @example 1795229544.9
   */
  created: number;
  /**
   * Unix seconds; `null` if no further attempt will be made.
   * @example null
   */
  next_attempt: number | null;
  /**
   * The delivery in which it was aggregated with others of the same minute; `null` if it is sent alone.
   * @example null
   */
  digest_id: string | null;
  /**
   * True for such a digest.
   * @example false
   */
  is_digest: boolean;
  timing: DeliveryTiming;
  attempts: AttemptView[];
}

/** The response with one delivery. */
export interface DeliveryResponse {
  delivery: DeliveryView;
}

/** The response with a page of deliveries. */
export interface DeliveriesResponse {
  deliveries: DeliveryView[];
  /**
   * @isLong
   * @example 1
   */
  total?: number;
}

/** The response to a redelivery. */
export interface RedeliveredResponse {
  /**
   * @isInt
   * @example 12
   */
  redelivered: number;
}

export function toDeliveryView({
  delivery,
  attempts,
}: {
  delivery: Delivery;
  attempts: DeliveryAttempt[];
}): DeliveryView {
  return {
    id: String(delivery.id),
    notification_id: String(delivery.notificationId),
    type: delivery.type as ChannelType, // the column holds nothing else
    destination: delivery.destination,
    status: delivery.status as DeliveryStatus, // the column holds nothing else
    priority: delivery.priority,
    resolved: delivery.resolved,
    acknowledged: delivery.acknowledges !== null,
    sensor_id: toId(delivery.sensorId),
    trigger_id: toId(delivery.triggerId),
    event: (delivery.event ?? '') as EventName | '', // the column holds nothing else
    subject_id: toId(delivery.subjectId),
    source_id: toId(delivery.sourceId),
    text: delivery.text,
    created: toUnixSeconds(delivery.createdMs),
    next_attempt: delivery.digestId === null ? toUnixSecondsOrNull(delivery.nextAttemptMs ?? delivery.parkedMs) : null,
    digest_id: toId(delivery.digestId),
    is_digest: delivery.digestMinuteMs !== null,
    timing: {
      received: toUnixSecondsOrNull(delivery.receivedMs),
      stored: toUnixSecondsOrNull(delivery.storedMs),
      evaluated: toUnixSecondsOrNull(delivery.evaluatedMs),
      queued: toUnixSeconds(delivery.createdMs),
      sent: toUnixSecondsOrNull(delivery.sentMs),
      answered: toUnixSecondsOrNull(delivery.answeredMs),
    },
    attempts: attempts.map((attempt) => ({
      date: toUnixSeconds(attempt.dateMs),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error ?? '',
      note: attempt.note ?? '',
    })),
  };
}

function toId(id: number | null): string | null {
  return id === null ? null : String(id);
}

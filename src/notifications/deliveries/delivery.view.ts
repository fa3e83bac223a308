import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { EVENT_CATALOGUE, type EventName } from '../../events/event-catalogue';
import type { DeliveryAttempt } from '../../storage/models/delivery-attempt.model';
import type { ChannelType } from '../delivery/channels';
import { shownDestination } from '../notifications/push-subscription';
import type { TestAttempt } from './awaited-tests';
import type { AttemptedDelivery } from './deliveries.service';
import { toWaitingView, type WaitingView } from './waiting.view';

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
   * Which expressions in the templates of its request could not be evaluated, which fields of its text do not exist, and
   * why; `""` if nothing is missing.
   * @example ""
   */
  note: string;
}

/** An attempt, with what was sent and what came back. */
export interface AttemptWithBodiesView extends AttemptView {
  /**
   * The first 2 KB of the body that was sent, or would have been, if the connection failed. `null` for a mail, and for an
   * attempt that was refused before it began. It is left out, like `response_body`, for keys and tokens that do not see
   * the signing secret either. Both are deleted with the delivery.
   * @example "sensor_id=42&trigger_id=5&text=greenhouse%3A+31.2"
   */
  request_body?: string | null;
  /**
   * The first 2 KB of the receiver's answer, as UTF-8; `""` if there was none. `null` as `request_body`.
   * @example "ok"
   */
  response_body?: string | null;
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
  /**
   * The present name of the sensor; `null` without a sensor, and if it was deleted or you may not see it any more.
   * @example "greenhouse"
   */
  sensor_name: string | null;
  /** @example "5" */
  trigger_id: string | null;
  /**
   * The present name of the trigger; `null` without a trigger, and if it was deleted.
   * @example "too warm"
   */
  trigger_name: string | null;
  /**
   * The version of the trigger that fired what it reports; `null` without one.
   * @isInt
   * @example 1
   */
  trigger_version: number | null;
  /**
   * The name of the event; `""` for a trigger and a test.
   * @example ""
   */
  event: EventName | '';
  /**
   * What happened, in words; `""` without an event.
   * @example ""
   */
  event_description: string;
  /** @example null */
  subject_id: string | null;
  /**
   * The present name of what the event is about; `null` if it was deleted, has no name, or you may not see it.
   * @example null
   */
  subject_name: string | null;
  /** @example null */
  source_id: string | null;
  /**
   * The present name of the sensor, environment or group where the event happened; `null` as `subject_name`.
   * @example null
   */
  source_name: string | null;
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
   * Why it waits; `null` if it does not wait, or waits as planned: for an escalation, or for the end of a mute.
   * @example null
   */
  waiting: WaitingView | null;
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
  /**
   * The number of deliveries in a digest; 0 for every other delivery.
   * @isInt
   * @example 0
   */
  digest_size: number;
  /**
   * True for a probe: a test that the clock makes, see `probe` of the notification.
   * @example false
   */
  probe: boolean;
  timing: DeliveryTiming;
  attempts: AttemptView[];
}

/** A delivery with its attempts in full. */
export interface DeliveryInFullView extends DeliveryView {
  attempts: AttemptWithBodiesView[];
}

/** The response with one delivery. */
export interface DeliveryResponse {
  delivery: DeliveryView;
}

/**
 * The result of a test so far: the receiver took it, or did not; the mail server took it (`handed_over`), which does not
 * show yet that it arrives; or there was no attempt while the request waited.
 */
export type TestStatus = 'delivered' | 'handed_over' | 'failed' | 'pending';

/** What happened to a test: the result of its first attempt. A failed test is tried again like any delivery. */
export interface TestView {
  /** @example "failed" */
  status: TestStatus;
  /**
   * The status code of the receiver; `null` if there was no response.
   * @isInt
   * @example 404
   */
  status_code: number | null;
  /**
   * The first 2 KB of the receiver's answer; `""` if there was none, and for mails. It is left out for keys and tokens
   * that do not see the signing secret.
   * @example "no_service"
   */
  response?: string;
  /**
   * Why it failed; `""` if it did not.
   * @example "the receiver answered 404"
   */
  error: string;
}

/** The response to a test of a notification. */
export interface TestResponse {
  delivery: DeliveryView;
  test: TestView;
}

/** The response with one delivery in full. */
export interface DeliveryInFullResponse {
  delivery: DeliveryInFullView;
}

/** The response with a page of deliveries. */
export interface DeliveriesResponse extends PageTotal {
  deliveries: DeliveryView[];
}

/** The response to a redelivery. */
export interface RedeliveredResponse {
  /**
   * @isInt
   * @example 12
   */
  redelivered: number;
}

/** The delivery in its owner's view; `withSecret` unless their credential may not see secrets. */
export function toDeliveryView(
  { delivery, attempts, names, held, waiting, triggerVersion }: AttemptedDelivery,
  secrets: { withSecret: boolean },
): DeliveryView {
  const event = (delivery.event ?? '') as EventName | ''; // the column holds nothing else
  return {
    id: String(delivery.id),
    notification_id: String(delivery.notificationId),
    type: delivery.type as ChannelType, // the column holds nothing else
    destination: shownDestination(delivery, secrets),
    status: delivery.status as DeliveryStatus, // the column holds nothing else
    priority: delivery.priority,
    resolved: delivery.kind === 'end',
    acknowledged: delivery.kind === 'acknowledgement',
    sensor_id: toId(delivery.sensorId),
    sensor_name: names.sensor,
    trigger_id: toId(delivery.triggerId),
    trigger_name: names.trigger,
    trigger_version: triggerVersion,
    event,
    event_description: event && EVENT_CATALOGUE[event].description,
    subject_id: toId(delivery.subjectId),
    subject_name: names.subject,
    source_id: toId(delivery.sourceId),
    source_name: names.source,
    text: delivery.text,
    created: toUnixSeconds(delivery.createdMs),
    next_attempt:
      delivery.digestId === null ? toUnixSecondsOrNull(delivery.nextAttemptMs ?? delivery.throttledMs) : null,
    waiting: toWaitingView(waiting),
    digest_id: toId(delivery.digestId),
    is_digest: delivery.kind === 'digest',
    digest_size: held,
    probe: delivery.kind === 'probe',
    timing: {
      received: toUnixSecondsOrNull(delivery.receivedMs),
      stored: toUnixSecondsOrNull(delivery.storedMs),
      evaluated: toUnixSecondsOrNull(delivery.evaluatedMs),
      queued: toUnixSeconds(delivery.createdMs),
      sent: toUnixSecondsOrNull(delivery.sentMs),
      answered: toUnixSecondsOrNull(delivery.answeredMs),
    },
    attempts: attempts.map(toAttemptView),
  };
}

/** The delivery in its owner's view; `withSecret` unless their credential may not see secrets, which bodies may hold. */
export function toDeliveryInFullView(
  found: AttemptedDelivery,
  { withSecret }: { withSecret: boolean },
): DeliveryInFullView {
  const attempts = found.attempts.map((attempt) => ({
    ...toAttemptView(attempt),
    ...(withSecret && { request_body: attempt.requestBody, response_body: attempt.responseBody }),
  }));
  return { ...toDeliveryView(found, { withSecret }), attempts };
}

/** A test with the result of its first attempt, undefined if there was none yet; `withSecret` as for its delivery. */
export function toTestResponse(
  found: AttemptedDelivery,
  attempt: TestAttempt | undefined,
  { withSecret }: { withSecret: boolean },
): TestResponse {
  const delivery = toDeliveryView(found, { withSecret });
  const response = withSecret ? { response: attempt?.responseBody ?? '' } : {};
  const { statusCode = null, error = null } = attempt ?? {};
  const arrived = delivery.type === 'email' ? 'handed_over' : 'delivered';
  const status = !attempt ? 'pending' : error === null ? arrived : 'failed';
  return { delivery, test: { status, status_code: statusCode, ...response, error: error ?? '' } };
}

function toAttemptView({ dateMs, statusCode, durationMs, error, note }: DeliveryAttempt): AttemptView {
  return {
    date: toUnixSeconds(dateMs),
    status_code: statusCode,
    duration_ms: durationMs,
    error: error ?? '',
    note: note ?? '',
  };
}

function toId(id: number | null): string | null {
  return id === null ? null : String(id);
}

import type { Delivery } from '../models/delivery.model';
import type { DeliveryAttempt } from '../models/delivery-attempt.model';
import type { Firing } from '../models/firing.model';
import { toUnixSeconds, toUnixSecondsOrNull } from './unix-seconds';

/** One try to deliver. */
export interface AttemptView {
  /** Unix seconds. */
  date: number;
  /** What the receiver answered; `null` when it did not. */
  status_code: number | null;
  duration_ms: number;
  /** Why it failed; `""` when it did not. */
  error: string;
}

/** One firing or event going to one destination. */
export interface DeliveryView {
  id: string;
  notification_id: string;
  type: string;
  destination: string;
  /** `pending`, `delivered` or `failed`. */
  status: string;
  priority: number;
  sensor_id: string | null;
  trigger_id: string | null;
  event: string;
  subject_id: string | null;
  source_id: string | null;
  text: string;
  /** Unix seconds. */
  created: number;
  /** Unix seconds; `null` when no further attempt will be made. */
  next_attempt: number | null;
  attempts: AttemptView[];
}

/** The answer that carries one delivery. */
export interface DeliveryAnswer {
  delivery: DeliveryView;
}

/** The answer that carries some deliveries. */
export interface DeliveriesAnswer {
  deliveries: DeliveryView[];
  total?: number;
}

/** One time that a trigger went off. */
export interface FiringView {
  id: string;
  sensor_id: string;
  trigger_id: string;
  /** `expression` or `inactivity`. */
  reason: string;
  /** Unix seconds. */
  date: number;
  /** The variables of the expression as they were. */
  variables: Record<string, unknown>;
}

/** The answer that carries some firings. */
export interface FiringsAnswer {
  firings: FiringView[];
  total?: number;
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
    type: delivery.type,
    destination: delivery.destination,
    status: delivery.status,
    priority: delivery.priority,
    sensor_id: toId(delivery.sensorId),
    trigger_id: toId(delivery.triggerId),
    event: delivery.event ?? '',
    subject_id: toId(delivery.subjectId),
    source_id: toId(delivery.sourceId),
    text: delivery.text,
    created: toUnixSeconds(delivery.createdMs),
    next_attempt: toUnixSecondsOrNull(delivery.nextAttemptMs),
    attempts: attempts.map((attempt) => ({
      date: toUnixSeconds(attempt.dateMs),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error ?? '',
    })),
  };
}

export function toFiringView(firing: Firing): FiringView {
  return {
    id: String(firing.id),
    sensor_id: String(firing.sensorId),
    trigger_id: String(firing.triggerId),
    reason: firing.reason,
    date: toUnixSeconds(firing.firedMs),
    variables: JSON.parse(firing.variables),
  };
}

function toId(id: number | null): string | null {
  return id === null ? null : String(id);
}

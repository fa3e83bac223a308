import type { JobsOptions, Queue } from 'bullmq';
import { deliveryPriority } from './priority';

/** Doorbell of a delivery: "your next attempt is due". */
export interface DeliveryPayload {
  deliveryId: number;
  /** Those of the same event to the same receiver: they go out after it, in this order. */
  next?: readonly number[];
}

/** What the doorbell needs to know of a delivery. */
export interface DeliveryWakeUp {
  deliveryId: number;
  /** Attempts made so far: each attempt has a doorbell of its own. */
  attempts: number;
  priority: number;
  cause: 'trigger' | 'event';
  /** Deliveries that share this doorbell, because they have to go out after this one, in this order. */
  next?: readonly number[];
  /** Milliseconds until the attempt is due. */
  delayMs?: number;
  /** It was parked by a job that may not have ended yet: that job must not swallow this ring. */
  wasParked?: boolean;
}

export const DELIVERY = 'delivery';

/** Rings deliveries. Ringing the same attempt twice makes one job as long as the first one is kept. */
export async function enqueueDeliveries(queue: Queue, wakeUps: Iterable<DeliveryWakeUp>): Promise<void> {
  const jobs = [...wakeUps].map((wakeUp) => ({
    name: DELIVERY,
    data: {
      deliveryId: wakeUp.deliveryId,
      ...(wakeUp.next?.length ? { next: wakeUp.next } : {}),
    } satisfies DeliveryPayload,
    opts: optionsFor(wakeUp),
  }));
  if (jobs.length > 0) await queue.addBulk(jobs);
}

function optionsFor(wakeUp: DeliveryWakeUp): JobsOptions {
  return {
    ...(wakeUp.wasParked ? {} : { deduplication: { id: `delivery-${wakeUp.deliveryId}-${wakeUp.attempts}` } }),
    priority: deliveryPriority(wakeUp.priority, wakeUp.cause),
    delay: wakeUp.delayMs ?? 0,
    removeOnComplete: 1000,
    removeOnFail: 1000,
  };
}

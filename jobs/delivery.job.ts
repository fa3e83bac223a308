import type { JobsOptions, Queue } from 'bullmq';
import { deliveryPriority } from './priority';

/** Doorbell of a delivery: "your next attempt is due". */
export interface DeliveryPayload {
  deliveryId: number;
  /** Those of the same event to the same receiver: they go out after it, in this order. */
  next?: readonly number[];
}

/** What the doorbell needs to know of a delivery. */
export interface DeliveryRing {
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
export async function ringDeliveries(queue: Queue, rings: Iterable<DeliveryRing>): Promise<void> {
  const jobs = [...rings].map((ring) => ({
    name: DELIVERY,
    data: { deliveryId: ring.deliveryId, ...(ring.next?.length ? { next: ring.next } : {}) } satisfies DeliveryPayload,
    opts: optionsFor(ring),
  }));
  if (jobs.length > 0) await queue.addBulk(jobs);
}

function optionsFor(ring: DeliveryRing): JobsOptions {
  return {
    ...(ring.wasParked ? {} : { deduplication: { id: `delivery-${ring.deliveryId}-${ring.attempts}` } }),
    priority: deliveryPriority(ring.priority, ring.cause),
    delay: ring.delayMs ?? 0,
    removeOnComplete: 1000,
    removeOnFail: 1000,
  };
}

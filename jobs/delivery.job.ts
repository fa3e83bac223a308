import type { JobsOptions, Queue } from 'bullmq';
import type { DeliveryCauseKind } from './priority';
import { addJobs } from './queues';

/** The nudge of a delivery: its next attempt is due. */
export interface DeliveryPayload {
  deliveryId: number;
  /** Deliveries of the same event to the same receiver. They go out after it, in this order. */
  next?: readonly number[];
}

/** The data of a delivery that its nudge needs. */
export interface DeliveryNudge {
  deliveryId: number;
  ownerId: number;
  /** Null for a delivery from before receivers had permits. */
  receiver?: string | null;
  /** Attempts made so far: each attempt has a separate nudge. */
  attempts: number;
  priority: number;
  cause: DeliveryCauseKind;
  /** Deliveries that share this nudge because they have to go out after this one, in this order. */
  next?: readonly number[];
  /** Milliseconds until the attempt is due. */
  delayMs?: number;
  /** True if a job that may still be running has throttled the delivery: that job must not deduplicate this one. */
  wasThrottled?: boolean;
}

/** A nudge with its place in the queue: a BullMQ priority. */
export interface RankedNudge extends DeliveryNudge {
  rank: number;
}

const DELIVERY = 'delivery';

/** Enqueues nudges of deliveries. The same attempt enqueued twice makes one job, as long as the first one is kept. */
export async function enqueueDeliveries(queue: Queue, nudges: Iterable<RankedNudge>): Promise<void> {
  const jobs = [...nudges].map((nudge) => ({
    name: DELIVERY,
    data: {
      deliveryId: nudge.deliveryId,
      ...(nudge.next?.length ? { next: nudge.next } : {}),
    } satisfies DeliveryPayload,
    opts: optionsFor(nudge),
  }));
  await addJobs(queue, jobs);
}

function optionsFor(nudge: RankedNudge): JobsOptions {
  return {
    ...(nudge.wasThrottled ? {} : { deduplication: { id: `delivery-${nudge.deliveryId}-${nudge.attempts}` } }),
    priority: nudge.rank,
    delay: nudge.delayMs ?? 0,
    removeOnComplete: 1000,
    removeOnFail: 1000,
  };
}

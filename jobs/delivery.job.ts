import type { JobsOptions, Queue } from 'bullmq';
import type { DeliveryCauseKind } from './priority';
import { addJobs } from './queues';

export interface DeliveryPayload {
  deliveryId: number;
  /** Deliveries of the event to the receiver that follow, in this order. */
  next?: readonly number[];
}

export interface DeliveryNudge {
  deliveryId: number;
  ownerId: number;
  /** Null for a delivery from before receivers had permits. */
  receiver?: string | null;
  /** Made so far: each attempt has its own nudge. */
  attempts: number;
  priority: number;
  cause: DeliveryCauseKind;
  /** Deliveries that share the nudge because they follow, in this order. */
  next?: readonly number[];
  delayMs?: number;
  /** A job that may still run has throttled the delivery: it must not deduplicate this one. */
  wasThrottled?: boolean;
}

/** A BullMQ priority is its place in the queue. */
export interface RankedNudge extends DeliveryNudge {
  rank: number;
}

const DELIVERY = 'delivery';

/** An attempt makes one job, as long as the first one is kept. */
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

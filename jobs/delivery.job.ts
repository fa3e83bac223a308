import type { JobsOptions, Queue } from 'bullmq';
import { addJobs } from './queues';

/** The wake-up of a delivery: its next attempt is due. */
export interface DeliveryPayload {
  deliveryId: number;
  /** Those of the same event to the same receiver: they go out after it, in this order. */
  next?: readonly number[];
}

/** What a wake-up needs to know of a delivery. */
export interface DeliveryWakeUp {
  deliveryId: number;
  ownerId: number;
  /** Null for one from before receivers had slots. */
  receiver?: string | null;
  /** Attempts made so far: each attempt has a wake-up of its own. */
  attempts: number;
  priority: number;
  cause: 'trigger' | 'event';
  /** Deliveries that share this wake-up, because they have to go out after this one, in this order. */
  next?: readonly number[];
  /** Milliseconds until the attempt is due. */
  delayMs?: number;
  /** It was parked by a job that may not have ended yet: that job must not deduplicate this one. */
  wasParked?: boolean;
}

/** A wake-up with its place in the queue: a BullMQ priority. */
export interface RankedWakeUp extends DeliveryWakeUp {
  rank: number;
}

export const DELIVERY = 'delivery';

/** Enqueues wake-ups of deliveries. The same attempt twice makes one job as long as the first one is kept. */
export async function enqueueDeliveries(queue: Queue, wakeUps: Iterable<RankedWakeUp>): Promise<void> {
  const jobs = [...wakeUps].map((wakeUp) => ({
    name: DELIVERY,
    data: {
      deliveryId: wakeUp.deliveryId,
      ...(wakeUp.next?.length ? { next: wakeUp.next } : {}),
    } satisfies DeliveryPayload,
    opts: optionsFor(wakeUp),
  }));
  await addJobs(queue, jobs);
}

function optionsFor(wakeUp: RankedWakeUp): JobsOptions {
  return {
    ...(wakeUp.wasParked ? {} : { deduplication: { id: `delivery-${wakeUp.deliveryId}-${wakeUp.attempts}` } }),
    priority: wakeUp.rank,
    delay: wakeUp.delayMs ?? 0,
    removeOnComplete: 1000,
    removeOnFail: 1000,
  };
}

import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/** Doorbell of the event log: "events wait to be told". It names none: the worker takes all that wait. */
export type EventPayload = Record<string, never>;

export const EVENTS = 'events';

/** Rings for waiting events; rings during a run make exactly one more. */
export async function enqueueEventDispatch(queue: Queue): Promise<void> {
  await queue.add(EVENTS, {} satisfies EventPayload, {
    priority: PLATFORM_PRIORITY,
    deduplication: { id: EVENTS, keepLastIfActive: true },
    removeOnComplete: 100,
    removeOnFail: 1000,
  });
}

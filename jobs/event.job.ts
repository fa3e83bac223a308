import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/** The wake-up of the event dispatch. It names no event: the worker takes all that wait. */
export type EventPayload = Record<string, never>;

export const EVENTS = 'events';

/** Enqueues a dispatch; wake-ups during a run make exactly one more. */
export async function enqueueEventDispatch(queue: Queue): Promise<void> {
  await queue.add(EVENTS, {} satisfies EventPayload, {
    priority: PLATFORM_PRIORITY,
    deduplication: { id: EVENTS, keepLastIfActive: true },
    removeOnComplete: 100,
    removeOnFail: 1000,
  });
}

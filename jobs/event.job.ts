import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** Users for whom `id mod of` is `share`. */
export interface EventShare {
  share: number;
  of: number;
}

/** Names no event: the worker takes all waiting events of the users. */
export type EventPayload = EventShare;

export const EVENTS = 'events';

export const ALL_USERS: EventShare = { share: 0, of: 1 };

export const SHARES_PER_WORKER = 2;

export function shareKey({ share, of }: EventShare): string {
  return `${share}-of-${of}`;
}

/** Nudges during a run make exactly one more. */
export async function enqueueEventDispatch(queue: Queue, shares: Iterable<EventShare>): Promise<void> {
  const jobs = [...shares].map((share) => ({
    name: EVENTS,
    data: share satisfies EventPayload,
    opts: {
      priority: PLATFORM_PRIORITY,
      deduplication: { id: `${EVENTS}-${shareKey(share)}`, keepLastIfActive: true },
      removeOnComplete: 100,
      removeOnFail: 1000,
    },
  }));
  await addJobs(queue, jobs);
}

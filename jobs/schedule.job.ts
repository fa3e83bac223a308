import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/**
 * What is done again and again, in ms. `sweep` rings for points and events that wait and for inactivities that are due, of which
 * none may be told late; `sweep-deliveries` rings for deliveries; `purge` removes the data of deleted sensors and what is past
 * its keeping.
 */
export const SCHEDULED = { sweep: 500, 'sweep-deliveries': 1_000, purge: 60_000 } as const;
export type ScheduledName = keyof typeof SCHEDULED;

/** Makes sure that the repeated jobs exist. Harmless to call again; workers do so in case Redis was emptied. */
export async function scheduleRepeats(queue: Queue): Promise<void> {
  for (const [name, everyMs] of Object.entries(SCHEDULED)) {
    await queue.upsertJobScheduler(
      name,
      { every: everyMs },
      { name, data: {}, opts: { priority: PLATFORM_PRIORITY, removeOnComplete: 10, removeOnFail: 100 } },
    );
  }
}

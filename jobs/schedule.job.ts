import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/**
 * Repeated work, with its interval in ms. `sweep` wakes up waiting points and events and due inactivities, none of which may be
 * late; `sweep-deliveries` wakes up deliveries; `purge` deletes what is past its retention, and the history of deleted things.
 */
export const SCHEDULED = { sweep: 500, 'sweep-deliveries': 1_000, purge: 60_000 } as const;
export type ScheduledName = keyof typeof SCHEDULED;

/** Makes sure that the repeated jobs exist. Harmless to repeat; workers do so in case Redis was emptied. */
export async function scheduleRepeats(queue: Queue): Promise<void> {
  for (const [name, everyMs] of Object.entries(SCHEDULED)) {
    await queue.upsertJobScheduler(
      name,
      { every: everyMs },
      { name, data: {}, opts: { priority: PLATFORM_PRIORITY, removeOnComplete: 10, removeOnFail: 100 } },
    );
  }
}

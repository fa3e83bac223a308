import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/**
 * Repeated work, with its interval in ms. `sweep` enqueues due inactivities, and nudges for waiting points and events;
 * `sweep-deliveries` enqueues nudges for due deliveries; `selectors` connects triggers to the sensors that they select;
 * `late-points` reports late points that have settled; `purge` deletes rows past their retention, and the history of
 * deleted things.
 */
export const SCHEDULED = {
  sweep: 500,
  'sweep-deliveries': 1_000,
  selectors: 2_000,
  'late-points': 30_000,
  purge: 60_000,
} as const;
export type ScheduledName = keyof typeof SCHEDULED;
export const SCHEDULED_NAMES = Object.keys(SCHEDULED) as ScheduledName[]; // the keys of the object above

/** Finished jobs that the board shows. */
const KEPT = { removeOnComplete: 10, removeOnFail: 100 };

/**
 * Makes a repeatable job for each name, unless all of them have a job: it is called again and again, because an emptied Redis, or an
 * operator who empties the queue, deletes them.
 */
export async function ensureSchedules(queue: Queue): Promise<void> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
  if (Object.values(counts).reduce((sum, count) => sum + count, 0) >= SCHEDULED_NAMES.length) return;
  for (const name of SCHEDULED_NAMES) {
    const template = { name, data: {}, opts: { priority: PLATFORM_PRIORITY, ...KEPT } };
    await queue.upsertJobScheduler(name, { every: SCHEDULED[name] }, template);
  }
}

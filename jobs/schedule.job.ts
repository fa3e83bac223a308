import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/**
 * Intervals in ms. `reconcile`: due inactivities, waiting points and events. `reconcile-deliveries`: due deliveries.
 * `selectors`: connects triggers and fleets to sensors. `late-points`: reports settled ones. `shadows`: ends those whose
 * time is over. `weekly-reports`: mails those that are due. `purge`: rows past retention, and history of deleted things.
 */
export const SCHEDULED = {
  reconcile: 500,
  'reconcile-deliveries': 1_000,
  selectors: 2_000,
  'late-points': 30_000,
  shadows: 10_000,
  'weekly-reports': 10_000,
  purge: 60_000,
} as const;
export const FLEETS = 'fleets';
/** `fleets`: writes the summaries of fleets. The reconciler enqueues it while there are any. */
export type ScheduledName = keyof typeof SCHEDULED | typeof FLEETS;
export const SCHEDULED_NAMES = Object.keys(SCHEDULED) as (keyof typeof SCHEDULED)[]; // the keys of the object above

const OPTIONS = { priority: PLATFORM_PRIORITY, removeOnComplete: 10, removeOnFail: 100 };

/** Call again and again: an emptied Redis or queue loses the jobs. */
export async function ensureSchedules(queue: Queue): Promise<void> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
  if (Object.values(counts).reduce((sum, count) => sum + count, 0) >= SCHEDULED_NAMES.length) return;
  for (const name of SCHEDULED_NAMES) {
    await queue.upsertJobScheduler(name, { every: SCHEDULED[name] }, { name, data: {}, opts: OPTIONS });
  }
}

export async function enqueueFleets(queue: Queue): Promise<void> {
  await addJobs(queue, [{ name: FLEETS, data: {}, opts: OPTIONS }]);
}

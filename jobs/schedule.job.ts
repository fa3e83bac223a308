import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/**
 * Intervals in ms. `reconcile`: due inactivities, waiting points and events. `reconcile-deliveries`: due deliveries.
 * `selectors`: connects triggers and fleets to sensors. `fleets`: writes their summaries. `late-points`: reports settled ones. `shadows`: ends those whose time is over.
 * `weekly-reports`: mails those that are due. `purge`: rows past retention, and history of deleted things.
 */
export const SCHEDULED = {
  reconcile: 500,
  'reconcile-deliveries': 1_000,
  selectors: 2_000,
  fleets: 500,
  'late-points': 30_000,
  shadows: 10_000,
  'weekly-reports': 10_000,
  purge: 60_000,
} as const;
export type ScheduledName = keyof typeof SCHEDULED;
export const SCHEDULED_NAMES = Object.keys(SCHEDULED) as ScheduledName[]; // the keys of the object above

const KEPT = { removeOnComplete: 10, removeOnFail: 100 };

/** Call again and again: an emptied Redis or queue loses the jobs. */
export async function ensureSchedules(queue: Queue): Promise<void> {
  const counts = await queue.getJobCounts('wait', 'prioritized', 'active', 'delayed');
  if (Object.values(counts).reduce((sum, count) => sum + count, 0) >= SCHEDULED_NAMES.length) return;
  for (const name of SCHEDULED_NAMES) {
    const template = { name, data: {}, opts: { priority: PLATFORM_PRIORITY, ...KEPT } };
    await queue.upsertJobScheduler(name, { every: SCHEDULED[name] }, template);
  }
}

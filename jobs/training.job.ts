import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/** Doorbell of a service: "long ranges wait that you are to learn". */
export interface TrainingPayload {
  serviceId: number;
}

export const TRAINING = 'learning';

/**
 * Rings services. While a job of a service waits, further rings are swallowed; while one runs, they make exactly one more.
 * One that failed is not tried again: the sweep rings for whatever still waits.
 */
export async function enqueueTraining(queue: Queue, serviceIds: Iterable<number>): Promise<void> {
  const jobs = [...serviceIds].map((serviceId) => ({
    name: TRAINING,
    data: { serviceId } satisfies TrainingPayload,
    opts: {
      priority: PLATFORM_PRIORITY,
      deduplication: { id: `learning-${serviceId}`, keepLastIfActive: true },
      removeOnComplete: 100,
      removeOnFail: 1000,
    },
  }));
  if (jobs.length > 0) await queue.addBulk(jobs);
}

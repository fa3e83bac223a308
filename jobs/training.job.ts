import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** The nudge of a service: long ranges wait for training. */
export interface TrainingPayload {
  serviceId: number;
}

const TRAINING = 'learning';

/**
 * Enqueues nudges of services. While a job of a service waits, further ones are deduplicated; while one runs, they make
 * exactly one more. A failed job is not retried as a job: the reconciler nudges all remaining work.
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
  await addJobs(queue, jobs);
}

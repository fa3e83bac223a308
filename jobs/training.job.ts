import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** Long ranges wait for training. */
export interface TrainingPayload {
  serviceId: number;
}

const TRAINING = 'train';

/**
 * While a job of a service waits, nudges are deduplicated; while one runs, they make exactly one more. A failed job is
 * not retried: the reconciler nudges what remains.
 */
export async function enqueueTraining(queue: Queue, serviceIds: Iterable<number>): Promise<void> {
  const jobs = [...serviceIds].map((serviceId) => ({
    name: TRAINING,
    data: { serviceId } satisfies TrainingPayload,
    opts: {
      priority: PLATFORM_PRIORITY,
      deduplication: { id: `train-${serviceId}`, keepLastIfActive: true },
      removeOnComplete: 100,
      removeOnFail: 1000,
    },
  }));
  await addJobs(queue, jobs);
}

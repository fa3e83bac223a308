import type { JobsOptions, Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';

/** The wake-up of a partition: rows wait in its inbox, or an inactivity is due. */
export interface SensorTurnPayload {
  partition: number;
}

export const SENSOR_TURN = 'sensor-turn';

/**
 * Enqueues wake-ups of partitions. While a turn of a partition waits, further ones are deduplicated; while one runs, they
 * make exactly one more. A turn that failed is not retried as a job: the sweep wakes up whatever still waits.
 */
export async function enqueueTurns(queue: Queue, partitions: Iterable<number>): Promise<void> {
  const jobs = [...partitions].map((partition) => ({
    name: SENSOR_TURN,
    data: { partition } satisfies SensorTurnPayload,
    opts: optionsFor(partition),
  }));
  if (jobs.length > 0) await queue.addBulk(jobs);
}

function optionsFor(partition: number): JobsOptions {
  return {
    priority: PLATFORM_PRIORITY,
    deduplication: { id: `partition-${partition}`, keepLastIfActive: true },
    removeOnComplete: 100,
    removeOnFail: 1000,
  };
}

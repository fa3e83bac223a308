import type { JobsOptions, Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** The wake-up of a partition: rows wait in its inbox, or an inactivity is due. */
export interface SensorTurnPayload {
  partition: number;
  /** Partitions that have their turns with it, whether or not anything waits in them. */
  others?: readonly number[];
}

/** Partitions that share a wake-up, with what deduplicates it. */
export interface TurnWakeUp {
  id: string;
  partitions: readonly number[];
}

export const SENSOR_TURN = 'sensor-turn';

/**
 * Enqueues wake-ups of partitions. While a turn of the same ones waits, further wake-ups are deduplicated; while one runs, they
 * make exactly one more. A turn that failed is not retried as a job: the sweep wakes up whatever still waits.
 */
export async function enqueueTurns(queue: Queue, wakeUps: Iterable<TurnWakeUp>): Promise<void> {
  const jobs = [...wakeUps].flatMap(({ id, partitions: [partition, ...others] }) => {
    if (partition === undefined) return [];
    const data = { partition, ...(others.length > 0 && { others }) } satisfies SensorTurnPayload;
    return [{ name: SENSOR_TURN, data, opts: optionsFor(id) }];
  });
  await addJobs(queue, jobs);
}

function optionsFor(id: string): JobsOptions {
  return {
    priority: PLATFORM_PRIORITY,
    deduplication: { id, keepLastIfActive: true },
    // There are very many of them, and one that is done says nothing: keeping it would be a fifth of what it costs.
    removeOnComplete: true,
    removeOnFail: 1000,
  };
}

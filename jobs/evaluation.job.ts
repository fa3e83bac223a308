import type { JobsOptions, Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** The nudge of a partition: rows wait in its inbox, or an inactivity is due. */
export interface EvaluationPayload {
  partition: number;
  /** Partitions that are evaluated together with it, whether or not anything waits in them. */
  others?: readonly number[];
}

/** Partitions that share a nudge, and its deduplication key. */
export interface EvaluationNudge {
  id: string;
  partitions: readonly number[];
}

const EVALUATION = 'sensor-turn';

/**
 * Enqueues nudges of partitions. While a pass of the same ones waits, further nudges are deduplicated; while one runs,
 * they make exactly one more. A failed pass is not retried as a job: the reconciler nudges all remaining work.
 */
export async function nudgeEvaluation(queue: Queue, nudges: Iterable<EvaluationNudge>): Promise<void> {
  const jobs = [...nudges].flatMap(({ id, partitions: [partition, ...others] }) => {
    if (partition === undefined) return [];
    const data = { partition, ...(others.length > 0 && { others }) } satisfies EvaluationPayload;
    return [{ name: EVALUATION, data, opts: optionsFor(id) }];
  });
  await addJobs(queue, jobs);
}

function optionsFor(id: string): JobsOptions {
  return {
    priority: PLATFORM_PRIORITY,
    deduplication: { id, keepLastIfActive: true },
    // There are very many of these jobs, and a completed one carries no information: keeping it would be a fifth of its
    // cost.
    removeOnComplete: true,
    removeOnFail: 1000,
  };
}

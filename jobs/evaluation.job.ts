import type { JobsOptions, Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

export interface EvaluationPayload {
  partition: number;
  others?: readonly number[];
}

/** Partitions of one nudge. */
export interface EvaluationNudge {
  id: string;
  partitions: readonly number[];
}

const EVALUATION = 'evaluate';

/**
 * While a pass of the same partitions waits, nudges are deduplicated; while one runs, they make exactly one more. A
 * failed pass is not retried: the reconciler nudges what remains.
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
    // There are very many of these jobs: keeping a completed one would be a fifth of its cost.
    removeOnComplete: true,
    removeOnFail: 1000,
  };
}

import type { EvaluationNudge } from '../../jobs/evaluation.job';

/**
 * Puts partitions together that are woken up by one job: one group for each worker, because a job costs as much as a
 * pass. While the number of workers is not known, each partition has its own.
 */
export class ShardAssignment {
  constructor(
    private readonly layout: { readonly count: number },
    private readonly workers: { readonly latest: number | undefined },
  ) {}

  /** The nudges that these partitions need, each with all partitions of its group, by what deduplicates them. */
  nudgesOf(partitions: Iterable<number>): Map<string, EvaluationNudge> {
    const { count } = this.layout;
    const groups = Math.min(count, this.workers.latest ?? count);
    const nudges = new Map<string, EvaluationNudge>();
    for (const partition of partitions) {
      const isAlone = groups === count || partition >= count;
      const id = isAlone ? `partition-${partition}` : `partitions-${partition % groups}-of-${groups}-in-${count}`;
      if (nudges.has(id)) continue;
      nudges.set(id, { id, partitions: isAlone ? [partition] : membersOf(partition % groups, groups, count) });
    }
    return nudges;
  }
}

/** Every so many, up to the number of partitions. */
function membersOf(group: number, groups: number, count: number): number[] {
  return Array.from({ length: Math.ceil((count - group) / groups) }, (_, index) => group + index * groups);
}

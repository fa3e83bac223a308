import type { EvaluationNudge } from '../../jobs/evaluation.job';

/**
 * Assigns partitions to shards. One job evaluates one shard. There is one shard per worker, because a job costs as much
 * as a pass. While the number of workers is unknown, each partition is a shard.
 */
export class ShardAssignment {
  constructor(
    private readonly layout: { readonly count: number },
    private readonly workers: { readonly latest: number | undefined },
  ) {}

  /** The nudges for these partitions, each with all partitions of its shard, by deduplication key. */
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

/** The partitions of a shard: every `groups`-th one. */
function membersOf(group: number, groups: number, count: number): number[] {
  return Array.from({ length: Math.ceil((count - group) / groups) }, (_, index) => group + index * groups);
}

import type { TurnWakeUp } from '../../jobs/sensor-turn.job';

/**
 * Puts partitions together that are woken up by one job: one group for each worker, because a job costs as much as a
 * turn. While the number of workers is not known, each partition has its own.
 */
export class TurnGroups {
  constructor(
    private readonly layout: { readonly count: number },
    private readonly workers: { readonly latest: number | undefined },
  ) {}

  /** The wake-ups that these partitions need, each with all partitions of its group, by what deduplicates them. */
  wakeUpsOf(partitions: Iterable<number>): Map<string, TurnWakeUp> {
    const { count } = this.layout;
    const groups = Math.min(count, this.workers.latest ?? count);
    const wakeUps = new Map<string, TurnWakeUp>();
    for (const partition of partitions) {
      const isAlone = groups === count || partition >= count;
      const id = isAlone ? `partition-${partition}` : `partitions-${partition % groups}-of-${groups}-in-${count}`;
      if (wakeUps.has(id)) continue;
      wakeUps.set(id, { id, partitions: isAlone ? [partition] : membersOf(partition % groups, groups, count) });
    }
    return wakeUps;
  }
}

/** Every so many, up to the number of partitions. */
function membersOf(group: number, groups: number, count: number): number[] {
  return Array.from({ length: Math.ceil((count - group) / groups) }, (_, index) => group + index * groups);
}

import type { HeldSource } from './source-leases';
import type { WaitingSource } from './waiting-sources';

export interface Places {
  limit: number;
  /** Without those that leave. */
  held: readonly HeldSource[];
  /** Places on all workers, without those that leave. */
  ofOwners: ReadonlyMap<number, number>;
  /** The smallest share first. */
  waiting: readonly WaitingSource[];
}

/**
 * Free places go to those that wait; then one of the owner with the most to each owner with fewer. Owners differ by one
 * at most, and no place changes hands twice.
 */
export function planPlaces({ limit, held, ofOwners, waiting }: Places): { take: number[]; leave: number[] } {
  const counts = new Map(ofOwners);
  const staying = [...held].sort((one, other) => Number(one.isConnected) - Number(other.isConnected));
  const [take, leave]: [number[], number[]] = [[], []];
  let free = limit - held.length;
  for (const { id, ownerId, share } of waiting) {
    if (free <= 0) {
      const index = indexOfMost(staying, counts);
      const [loser] = index < 0 ? [] : staying.slice(index, index + 1);
      const places = loser ? (counts.get(loser.ownerId) ?? 0) : 0;
      if (!loser || places <= share) break;
      staying.splice(index, 1);
      counts.set(loser.ownerId, places - 1);
      leave.push(loser.id);
      free += 1;
    }
    take.push(id);
    counts.set(ownerId, share);
    free -= 1;
  }
  return { take, leave };
}

function indexOfMost(held: readonly HeldSource[], counts: ReadonlyMap<number, number>): number {
  const places = held.map(({ ownerId }) => counts.get(ownerId) ?? 0);
  return places.indexOf(Math.max(...places));
}

import type { Pool } from 'mysql2/promise';
import type { DependentEpisode, Holders } from '../../notifications';
import { type RunSql, runOn } from '../../storage/transaction';
import { findHolders, type Holder } from './holders';

/**
 * Records in the first firings what holds what. The end of a holder then knows what it must release: it locks the row of
 * the holder, which says whether there is anything.
 */
export class RecordedHolders implements Holders {
  constructor(private readonly pool: Pool) {}

  async hold(ownerId: number, episodes: readonly DependentEpisode[], nowMs: number): Promise<ReadonlySet<number>> {
    const run = runOn(this.pool);
    const dependents = episodes.map((episode) => ({ ...episode, ownerId, key: episode.firstId }));
    const holders = await findHolders(run, dependents, nowMs);
    const changed = episodes.filter(({ firstId, heldBy }) => {
      const holder = holders.get(firstId);
      return holder && !(holder.isMarked && holder.firingId === heldBy);
    });
    if (changed.length === 0) return new Set(holders.keys());
    const lasting = await record(run, changed, holders);
    const isKnown = new Set(episodes.filter((one) => !changed.includes(one)).map(({ firstId }) => firstId));
    const held = [...holders].filter(([firstId, { firingId }]) => isKnown.has(firstId) || lasting.has(firingId));
    return new Set(held.map(([firstId]) => firstId));
  }
}

/** Returns the holders that last. In this order: one that ends meanwhile finds what it holds, or is not among them. */
async function record(
  run: RunSql,
  episodes: readonly DependentEpisode[],
  holders: ReadonlyMap<number, Holder>,
): Promise<ReadonlySet<number>> {
  const ids = await recordHeldBy(run, episodes, ({ firstId }) => holders.get(firstId));
  await run('UPDATE firings SET holds = TRUE WHERE id IN (?) AND is_lasting', [ids]);
  const rows = await run('SELECT id FROM firings WHERE id IN (?) AND is_lasting', [ids]);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Writes the holders of episodes into their first firings. Returns the ids of the holders. */
export async function recordHeldBy<T extends { firstId: number }>(
  run: RunSql,
  episodes: readonly T[],
  holderOf: (episode: T) => Holder | undefined,
): Promise<number[]> {
  const heldBy = new Map<number, number[]>();
  for (const episode of episodes) {
    const id = holderOf(episode)?.firingId;
    if (id !== undefined) heldBy.set(id, [...(heldBy.get(id) ?? []), episode.firstId]);
  }
  for (const [id, firstIds] of heldBy) await run('UPDATE firings SET held_by = ? WHERE id IN (?)', [id, firstIds]);
  return [...heldBy.keys()];
}

import { Firing } from './models/firing.model';

/**
 * A firing and the first firing of its episode, which may be itself. The first one is missing only if it has been
 * purged.
 */
export interface EpisodeFiring {
  firing: Firing;
  first: Firing | undefined;
}

/** Finds the first firing of each firing's episode, with one statement. */
export async function withEpisodes(firings: readonly Firing[]): Promise<EpisodeFiring[]> {
  const known = new Map(firings.map((firing) => [firing.id, firing]));
  const missing = firings.flatMap(({ episodeId }) => (episodeId === null || known.has(episodeId) ? [] : [episodeId]));
  if (missing.length > 0) {
    const others = { exclude: ['variables'] };
    for (const first of await Firing.findAll({ where: { id: missing }, attributes: others }))
      known.set(first.id, first);
  }
  return firings.map((firing) => ({ firing, first: known.get(firing.episodeId ?? firing.id) }));
}

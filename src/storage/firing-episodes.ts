import { Firing } from './models/firing.model';

/** A firing with the first one of its episode, which may be itself; that is missing only where it was purged before. */
export interface EpisodeFiring {
  firing: Firing;
  first: Firing | undefined;
}

/** Each firing with the first one of its episode, by one statement. */
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

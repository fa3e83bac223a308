import { DEFAULT_SEVERITY, type Severity } from '../rules/severity';
import { Firing } from './models/firing.model';
import { Trigger } from './models/trigger.model';

/**
 * A firing and the first firing of its episode, which may be itself. The first one is missing only if it has been
 * purged.
 */
export interface EpisodeFiring {
  firing: Firing;
  first: Firing | undefined;
  /** The severity of its trigger now; the default after its deletion. */
  severity: Severity;
}

/** Finds the first firing of each firing's episode, with one statement, and the severities with another. */
export async function withEpisodes(firings: readonly Firing[]): Promise<EpisodeFiring[]> {
  if (firings.length === 0) return [];
  const [known, severities] = await Promise.all([findFirst(firings), findSeverities(firings)]);
  return firings.map((firing) => ({
    firing,
    first: known.get(firing.episodeId ?? firing.id),
    severity: severities.get(firing.triggerId) ?? DEFAULT_SEVERITY,
  }));
}

/** These firings and the first ones of their episodes, by id. */
async function findFirst(firings: readonly Firing[]): Promise<Map<number, Firing>> {
  const known = new Map(firings.map((firing) => [firing.id, firing]));
  const missing = firings.flatMap(({ episodeId }) => (episodeId === null || known.has(episodeId) ? [] : [episodeId]));
  if (missing.length === 0) return known;
  const others = { exclude: ['variables'] };
  for (const first of await Firing.findAll({ where: { id: missing }, attributes: others })) known.set(first.id, first);
  return known;
}

async function findSeverities(firings: readonly Firing[]): Promise<Map<number, Severity>> {
  const id = [...new Set(firings.map(({ triggerId }) => triggerId))];
  const triggers = await Trigger.findAll({ where: { id }, attributes: ['id', 'severity'] });
  return new Map(triggers.map((trigger) => [trigger.id, trigger.severity as Severity])); // the column holds nothing else
}

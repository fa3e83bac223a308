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
  /** Its trigger now; the default severity and no rule after its deletion. */
  trigger: FiredTrigger;
}

interface FiredTrigger {
  severity: Severity;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
}

const DELETED: FiredTrigger = { severity: DEFAULT_SEVERITY, expression: null, inactivity: null };

/** Finds the first firing of each firing's episode, with one statement, and the triggers with another. */
export async function withEpisodes(firings: readonly Firing[]): Promise<EpisodeFiring[]> {
  if (firings.length === 0) return [];
  const [known, triggers] = await Promise.all([findFirst(firings), findTriggers(firings)]);
  return firings.map((firing) => ({
    firing,
    first: known.get(firing.episodeId ?? firing.id),
    trigger: triggers.get(firing.triggerId) ?? DELETED,
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

async function findTriggers(firings: readonly Firing[]): Promise<Map<number, FiredTrigger>> {
  const id = [...new Set(firings.map(({ triggerId }) => triggerId))];
  const attributes = ['id', 'severity', 'expression', 'inactivity'];
  const triggers = await Trigger.findAll({ where: { id }, attributes });
  return new Map(
    triggers.map(({ id: triggerId, severity, expression, inactivity }) => [
      triggerId,
      { severity: severity as Severity, expression, inactivity }, // the column holds nothing else
    ]),
  );
}

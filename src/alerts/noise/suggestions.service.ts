import { NotFound } from '../../platform/errors';
import type { Period } from '../../points';
import type { Database } from '../../storage';
import { throwIfCancelled } from '../../storage/cancellation';
import { Sensor } from '../../storage/models/sensor.model';
import { Trigger } from '../../storage/models/trigger.model';
import { runOn } from '../../storage/transaction';
import type { BacktestSubject, BacktestsService } from '../backtests/backtests.service';
import { ruleOf, ruleProblem } from '../rules/trigger-rule';
import type { NoiseService } from './noise.service';
import { limitOf, type RuleChange, type SeenEpisode, timeChanges, valueChanges } from './suggestion-candidates';
import { chooseBest, type Effect, effectOf } from './suggestion-choice';
import { MOST_ACKNOWLEDGED, readAcknowledged, readExtremes, readSeen } from './suggestion-rows';

const MOST_TRIGGERS = 5;
const MOST_SENSORS = 50;
const LEAST_EPISODES = 3;
/** No trigger is tried after this time. */
const MOST_MS = 20_000;

export interface Suggestion extends Effect {
  trigger: Trigger;
  sensorIds: number[];
}

export interface Suggestions {
  suggestions: Suggestion[];
  isComplete: boolean;
}

interface Parts {
  database: Database;
  noise: NoiseService;
  backtests: Pick<BacktestsService, 'run'>;
}

/** Changes of one field of the noisiest triggers, each tried on stored data. */
export class SuggestionsService {
  constructor(private readonly parts: Parts) {}

  /** Throws NotFound for a trigger that the user does not have, and as backtests do. */
  async suggest(userId: number, range: Period, triggerId?: number): Promise<Suggestions> {
    const deadline = performance.now() + MOST_MS;
    const suggestions: Suggestion[] = [];
    let isComplete = true;
    for (const trigger of await this.triggersOf(userId, range, triggerId)) {
      throwIfCancelled();
      if (performance.now() > deadline) return { suggestions, isComplete: false };
      const found = await this.suggestFor(trigger, range);
      if (found) suggestions.push(...found);
      else isComplete = false;
    }
    return { suggestions, isComplete };
  }

  /** The noisiest first. */
  private async triggersOf(userId: number, range: Period, triggerId?: number): Promise<Trigger[]> {
    if (triggerId !== undefined) {
      const own = await Trigger.findOne({ where: { id: triggerId, ownerId: userId } });
      if (!own) throw new NotFound('the trigger');
      return [own];
    }
    const asked = { by: 'trigger', timezone: 'UTC', ...range, days: [] } as const;
    const page = { offset: 0, limit: MOST_TRIGGERS, withTotal: false };
    const { rows } = await this.parts.noise.report(userId, asked, page);
    const ids = rows.items.filter(({ episodes }) => episodes >= LEAST_EPISODES).map(({ id }) => id);
    const found = new Map((await Trigger.findAll({ where: { id: ids } })).map((trigger) => [trigger.id, trigger]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Undefined if not everything could be tried. */
  private async suggestFor(trigger: Trigger, range: Period): Promise<Suggestion[] | undefined> {
    const { database, backtests } = this.parts;
    const scope = { userId: trigger.ownerId, triggerId: trigger.id, ...range };
    const seen = await readSeen(runOn(database.reads), scope);
    const acknowledged = await readAcknowledged(runOn(database.reads), scope);
    const sensorIds = sensorsOf(seen, acknowledged);
    if (!sensorIds || acknowledged.length > MOST_ACKNOWLEDGED) return undefined;
    const changes = await this.changesOf(trigger, sensorIds, { seen, acknowledged });
    if (changes.length === 0) return [];
    const tried = await backtests.run(
      trigger.ownerId,
      subjectOf(trigger),
      { sensorIds, ...range, descending: false },
      changes.map((change) => subjectOf(trigger, change)),
    );
    if (tried.untilMs < range.endMs) return undefined;
    const effects = tried.comparisons.flatMap((comparison, at) => {
      const change = changes[at];
      return (change && effectOf(change, tried.summary, comparison, acknowledged)) ?? [];
    });
    return chooseBest(effects).map((effect) => ({ ...effect, trigger, sensorIds }));
  }

  private async changesOf(
    trigger: Trigger,
    sensorIds: readonly number[],
    episodes: { seen: readonly SeenEpisode[]; acknowledged: readonly SeenEpisode[] },
  ): Promise<RuleChange[]> {
    const { expression, resolveExpression } = trigger;
    if (expression === null || episodes.seen.length < LEAST_EPISODES) return [];
    const rule = ruleOf(trigger);
    const limit = limitOf(expression);
    const changes = timeChanges(rule, episodes.seen);
    if (limit) {
      const sensors = await Sensor.findAll({ where: { id: [...sensorIds] }, attributes: ['id', 'dataType'] });
      const dataTypes = new Map(sensors.map(({ id, dataType }) => [id, dataType]));
      const extremes = await readExtremes(this.parts.database.reads, limit, dataTypes, episodes);
      changes.push(...valueChanges(limit, extremes, resolveExpression !== null));
    }
    return changes.filter(({ field, to }) => rule[field] !== to && ruleProblem({ ...rule, [field]: to }) === null);
  }
}

/** Sensors with acknowledged episodes, then those with most episodes. Undefined if too many have acknowledged ones. */
function sensorsOf(seen: readonly SeenEpisode[], acknowledged: readonly SeenEpisode[]): number[] | undefined {
  const known = new Set(acknowledged.map(({ sensorId }) => sensorId));
  if (known.size > MOST_SENSORS) return undefined;
  const counts = new Map<number, number>();
  for (const { sensorId } of seen) counts.set(sensorId, (counts.get(sensorId) ?? 0) + 1);
  const loudest = [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);
  return [...new Set([...known, ...loudest])].slice(0, MOST_SENSORS);
}

/** The present mutes, notifications and acknowledgements take part. */
function subjectOf(trigger: Trigger, change?: RuleChange): BacktestSubject {
  const rule = { ...ruleOf(trigger), ...(change && { [change.field]: change.to }) };
  return { rule, audience: { trigger, content: trigger, withMutes: true, acknowledge: 'as_recorded' } };
}

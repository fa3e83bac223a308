import { NotFound } from '../../platform/errors';
import { LruCache, weightOfText } from '../../platform/lru-cache';
import type { Period } from '../../points';
import type { Database } from '../../storage';
import { throwIfCancelled } from '../../storage/cancellation';
import { Sensor } from '../../storage/models/sensor.model';
import { Trigger } from '../../storage/models/trigger.model';
import { runOn } from '../../storage/transaction';
import type { BacktestSubject, BacktestsService } from '../backtests/backtests.service';
import { ruleOf, ruleProblem } from '../rules/trigger-rule';
import type { NoiseService } from './noise.service';
import type { NoiseRow } from './noise-report';
import { limitOf, type RuleChange, type SeenEpisode, timeChanges, valueChanges } from './suggestion-candidates';
import { chooseBest, type Effect, effectOf } from './suggestion-choice';
import { MOST_ACKNOWLEDGED, readAcknowledged, readExtremes, readSeen } from './suggestion-rows';

export const MOST_TRIGGERS = 5;
const MOST_SENSORS = 50;
const LEAST_EPISODES = 3;
/** No trigger is tried after this time. */
const MOST_MS = 20_000;
/** The page of suggestions is opened again and again. */
const KEPT_MS = 5 * 60_000;
const KEPT_CHARACTERS = 1_000_000;
/** About what an effect and one of its lost episodes take in memory. */
const EFFECT_CHARACTERS = 1_000;
const LOST_CHARACTERS = 50;

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

interface Trial {
  sensorIds: number[];
  changes: readonly RuleChange[];
  acknowledged: readonly SeenEpisode[];
}

/** Changes of one field of the noisiest triggers, each tried on stored data. */
export class SuggestionsService {
  private readonly kept = new LruCache<string, Effect[]>(KEPT_CHARACTERS, weightOf);

  constructor(private readonly parts: Parts) {}

  /** Throws NotFound for a trigger that the user does not have, and as backtests do. */
  async suggest(userId: number, range: Period, triggerId?: number): Promise<Suggestions> {
    if (triggerId === undefined) {
      const asked = { by: 'trigger', timezone: 'UTC', ...range, days: [] } as const;
      const page = { offset: 0, limit: MOST_TRIGGERS, withTotal: false };
      return this.suggestForNoisiest((await this.parts.noise.report(userId, asked, page)).rows.items, range);
    }
    const own = await Trigger.findOne({ where: { id: triggerId, ownerId: userId } });
    if (!own) throw new NotFound('the trigger');
    return this.suggestForAll([own], range);
  }

  /** For these rows of a report on the range, the noisiest first. */
  async suggestForNoisiest(rows: readonly Pick<NoiseRow, 'id' | 'episodes'>[], range: Period): Promise<Suggestions> {
    const ids = rows.filter(({ episodes }) => episodes >= LEAST_EPISODES).map(({ id }) => id);
    const found = new Map((await Trigger.findAll({ where: { id: ids } })).map((trigger) => [trigger.id, trigger]));
    return this.suggestForAll(
      ids.flatMap((id) => found.get(id) ?? []),
      range,
    );
  }

  private async suggestForAll(triggers: readonly Trigger[], range: Period): Promise<Suggestions> {
    const deadline = performance.now() + MOST_MS;
    const suggestions: Suggestion[] = [];
    let isComplete = true;
    for (const trigger of triggers) {
      throwIfCancelled();
      if (performance.now() > deadline) return { suggestions, isComplete: false };
      const found = await this.suggestFor(trigger, range);
      if (found) suggestions.push(...found);
      else isComplete = false;
    }
    return { suggestions, isComplete };
  }

  /** Undefined if not everything could be tried. */
  private async suggestFor(trigger: Trigger, range: Period): Promise<Suggestion[] | undefined> {
    const { database } = this.parts;
    const scope = { userId: trigger.ownerId, triggerId: trigger.id, ...range };
    const seen = await readSeen(runOn(database.reads), scope);
    const acknowledged = await readAcknowledged(runOn(database.reads), scope);
    const sensorIds = sensorsOf(seen, acknowledged);
    if (!sensorIds || acknowledged.length > MOST_ACKNOWLEDGED) return undefined;
    const changes = await this.changesOf(trigger, sensorIds, { seen, acknowledged });
    if (changes.length === 0) return [];
    const trial = { sensorIds, changes, acknowledged };
    const times = [range.startMs, range.endMs, performance.now()].map((ms) => Math.floor(ms / KEPT_MS));
    const key = JSON.stringify([trigger.id, trigger.version, trial, times]);
    const best = this.kept.find(key) ?? (await this.tryChanges(trigger, range, trial));
    if (!best) return undefined;
    this.kept.set(key, best);
    return best.map((effect) => ({ ...effect, trigger, sensorIds }));
  }

  /** The best changes. Undefined if the time for backtests was over. */
  private async tryChanges(
    trigger: Trigger,
    range: Period,
    { sensorIds, changes, acknowledged }: Trial,
  ): Promise<Effect[] | undefined> {
    const tried = await this.parts.backtests.run(
      trigger.ownerId,
      subjectOf(trigger),
      { sensorIds, ...range, descending: false },
      changes.map((change) => subjectOf(trigger, change)),
    );
    if (tried.untilMs < range.endMs) return undefined;
    const effects = tried.comparisons.flatMap((comparison, at) => {
      const change = changes[at];
      return (change && effectOf(change, tried.summary, comparison, { acknowledged, endMs: range.endMs })) ?? [];
    });
    return chooseBest(effects);
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

function weightOf(key: string, effects: readonly Effect[]): number {
  return effects.reduce((sum, { lost }) => sum + EFFECT_CHARACTERS + lost.length * LOST_CHARACTERS, weightOfText(key));
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

import { mayHaveWindows } from '../../language/windows/written-windows';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import type { Database } from '../../storage';
import { Firing } from '../../storage/models/firing.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { Trigger } from '../../storage/models/trigger.model';
import type { BacktestSummary } from '../backtests/backtest-outcome';
import type { Backtest } from '../backtests/backtest-result';
import type { BacktestEpisode } from '../backtests/backtest-run';
import type {
  BacktestComparing,
  BacktestSubject,
  BacktestsService,
  BacktestTrial,
  TrialListener,
} from '../backtests/backtests.service';
import type { EpisodeCause } from '../rules/episode';
import { ruleChange } from '../rules/rule-change';
import { parseSelector } from '../rules/selector';
import { ruleOf } from '../rules/trigger-rule';
import { findSelected } from '../triggers/selected-sensors';
import { contentChanges, type Desired } from './desired-rules';
import { type Planned, plannedThings, subjectAfter, subjectBefore } from './effect-subjects';

type DesiredTrigger = Desired['triggers'][number];

/** A trigger whose rule, sensors or notifications change; without `after` it is deleted. */
export interface ChangedTrigger {
  name: string;
  before: Trigger | undefined;
  after: DesiredTrigger | undefined;
}

export interface OpenFiring {
  firingId: number;
  stays: boolean;
}

/** Null before a creation and after a deletion. */
export interface TriggerEffect {
  name: string;
  before: BacktestSummary | null;
  after: BacktestSummary | null;
  vanish: readonly BacktestEpisode[];
  appear: readonly BacktestEpisode[];
  open: readonly OpenFiring[];
  /** Sensors that were tried, and all of them. */
  sensors: readonly [tried: number, all: number];
  /** Null if nothing could be tried. */
  untilMs: number | null;
  /** Why it could not be tried, or not to the end. */
  note: string;
}

/** Is called while effects are computed. */
export interface EffectListener extends Pick<TrialListener, 'onProgress'> {
  onEffect?: (effect: TriggerEffect) => void;
}

/** For all backtests of a plan. */
const EFFECT_MS = 20_000;
const MAX_SENSORS = 1_000;
/** All points of windows are in memory. */
const MAX_WITH_WINDOWS = 100;
const MAX_OPEN = 100;
const DAY_MS = 86_400_000;
const CUT = 'the time for backtests was over before the end of the data';

/** What changed triggers would have done on stored data, before and after. */
export class RuleEffects {
  constructor(
    private readonly database: Database,
    private readonly backtests: BacktestsService,
    private readonly clock: Clock,
  ) {}

  /** Throws TooMany if no backtest can begin now. */
  requireFree(userId: number): void {
    this.backtests.requireFree(userId, EFFECT_MS);
  }

  async of(
    userId: number,
    changed: readonly ChangedTrigger[],
    desired: Desired,
    days: number,
    { onEffect, onProgress }: EffectListener = {},
  ): Promise<TriggerEffect[]> {
    if (days === 0 || changed.length === 0) return [];
    const planned = plannedThings(desired);
    const prepared: Prepared[] = [];
    for (const trigger of changed) prepared.push(await this.prepare(userId, trigger, planned));
    const startMs = this.clock.now() - days * DAY_MS;
    const trials = trialsOf(prepared, startMs);
    const effects = new Map<Prepared, TriggerEffect>();
    const add = (one: Prepared, result: Backtest | undefined, why: string) => {
      const effect = effectOf(one, result, why);
      effects.set(one, effect);
      onEffect?.(effect);
    };
    const listener = {
      onProgress,
      onTried: (trial: number, results: readonly Backtest[]) => {
        for (const [at, one] of (trials[trial]?.of ?? []).entries()) add(one, results[at], NO_SENSORS);
      },
    };
    let why = NO_SENSORS;
    try {
      await this.backtests.runAll(
        userId,
        trials.map(({ trial }) => trial),
        EFFECT_MS,
        listener,
      );
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      why = error.message;
    }
    for (const one of prepared) if (!effects.has(one)) add(one, undefined, why);
    return prepared.flatMap((one) => effects.get(one) ?? []);
  }

  private async prepare(userId: number, trigger: ChangedTrigger, planned: Planned): Promise<Prepared> {
    const { before, after } = trigger;
    const connected = before ? await readConnected(before.id) : [];
    const old = connected.map(({ sensorId }) => sensorId);
    const selected = after ? await this.selected(userId, after, connected) : [];
    const wanted = after ? [...new Set([...(after.after.sensors as number[]), ...selected])] : []; // ids of sensors
    const all = [...new Set([...old, ...wanted])].sort((a, b) => a - b);
    const hasWindows = [before, after?.wanted].some((rule) => rule && mayHaveWindows(rule));
    const sensorIds = all.slice(0, hasWindows ? MAX_WITH_WINDOWS : MAX_SENSORS);
    const subjects = {
      ...(before && { old: { ...subjectBefore(before), sensorIds: new Set(old) } }),
      ...(after && { new: { ...subjectAfter(after, before, planned), sensorIds: new Set(wanted) } }),
    };
    const open = before ? await readOpen(before, after, new Set(wanted)) : [];
    return { trigger, sensorIds, all: all.length, hasWindows, subjects, open };
  }

  /** Sensors that the selector of the new rule connects. */
  private async selected(userId: number, { wanted, changes }: DesiredTrigger, connected: readonly SensorTrigger[]) {
    if (wanted.selector === null) return [];
    if (!('selector' in changes)) return connected.flatMap((one) => (one.bySelector ? [one.sensorId] : []));
    return findSelected(this.database.selections, userId, parseSelector(wanted.selector), MAX_SENSORS);
  }
}

interface Prepared {
  trigger: ChangedTrigger;
  sensorIds: number[];
  all: number;
  hasWindows: boolean;
  subjects: { old?: BacktestSubject; new?: BacktestSubject };
  open: OpenFiring[];
}

const NO_SENSORS = 'it has no sensors';

interface Group {
  of: Prepared[];
  trial: BacktestTrial & { rules: BacktestComparing[] };
}

/** Rules on the same sensors share a trial, unless their windows fill the memory. */
function trialsOf(prepared: readonly Prepared[], startMs: number) {
  const groups = new Map<string, Group>();
  for (const [index, one] of prepared.entries()) {
    const pair = pairOf(one);
    if (!pair || one.sensorIds.length === 0) continue;
    const key = one.hasWindows ? `alone ${index}` : one.sensorIds.join();
    const scope = { sensorIds: one.sensorIds, startMs, descending: false };
    const group: Group = groups.get(key) ?? { of: [], trial: { rules: [], scope } };
    groups.set(key, group);
    group.of.push(one);
    group.trial.rules.push(pair);
  }
  return [...groups.values()];
}

function pairOf({ subjects }: Prepared): BacktestComparing | undefined {
  if (subjects.new) return { subject: subjects.new, others: subjects.old ? [subjects.old] : [] };
  return subjects.old && { subject: subjects.old, others: [] };
}

function effectOf(
  { trigger, subjects, sensorIds, all, open }: Prepared,
  result: Backtest | undefined,
  why: string,
): TriggerEffect {
  const { name } = trigger;
  const sensors = [sensorIds.length, all] as const;
  if (!result)
    return { name, before: null, after: null, vanish: [], appear: [], open, sensors, untilMs: null, note: why };
  const alone = { name, open, sensors, untilMs: result.untilMs, note: result.isCut ? CUT : '' };
  const { summary, episodes } = result;
  const [comparison] = result.comparisons;
  if (comparison) {
    const { onlyThis: appear, onlyOther: vanish } = comparison;
    return { ...alone, before: comparison.summary, after: summary, vanish, appear };
  }
  if (subjects.new) return { ...alone, before: null, after: summary, vanish: [], appear: episodes };
  return { ...alone, before: summary, after: null, vanish: episodes, appear: [] };
}

function readConnected(triggerId: number): Promise<SensorTrigger[]> {
  return SensorTrigger.findAll({ attributes: ['sensorId', 'bySelector'], where: { triggerId } });
}

/** Open episodes, and whether they stay open under the new rule. */
async function readOpen(
  before: Trigger,
  after: DesiredTrigger | undefined,
  sensors: ReadonlySet<number>,
): Promise<OpenFiring[]> {
  const where = { triggerId: before.id, isLasting: true, episodeId: null };
  const firings = await Firing.findAll({
    attributes: ['id', 'sensorId', 'reason'],
    where,
    order: ['id'],
    limit: MAX_OPEN,
  });
  const isOther = after && Object.keys(contentChanges(after)).length > 0;
  const rules = after && ([ruleOf(before), ruleOf(after.wanted)] as const);
  const ends: readonly EpisodeCause[] = rules && isOther ? ruleChange(...rules, 'keep').ends : [];
  return firings.map(({ id, sensorId, reason }) => {
    const cause = reason === 'inactivity' ? 'inactivity' : 'expression';
    return { firingId: id, stays: after !== undefined && !ends.includes(cause) && sensors.has(sensorId) };
  });
}

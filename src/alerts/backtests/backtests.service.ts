import { setImmediate } from 'node:timers/promises';
import type { SensorAccess } from '../../access/sensor-access';
import type { ByteBudget } from '../../fairness/byte-budget';
import type { FairSemaphore } from '../../fairness/fair-semaphore';
import type { Clock } from '../../platform/clock';
import { TooMany } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import { runOn } from '../../storage/transaction';
import type { TriggerRule } from '../rules/trigger-rule';
import { type AudienceInput, readAudience } from './audience-reader';
import { BacktestAudience } from './backtest-audience';
import { type RequestedLabels, readFacts, type SensorFacts, sourcesOf } from './backtest-facts';
import { BacktestPace } from './backtest-pace';
import { passAll, shortestPeriod } from './backtest-passes';
import { readFirstDate, readLastDates, readSlices } from './backtest-points';
import { type Backtest, resultOf, type Tried, type TriedRule } from './backtest-result';
import { BacktestRun } from './backtest-run';
import { BacktestWindows } from './backtest-windows';
import { ValueResults } from './value-results';

export interface BacktestScope {
  sensorIds: number[];
  /** By default the date of the first point. */
  startMs?: number;
  endMs?: number;
  descending: boolean;
  /** Instead of the present labels of each sensor. */
  labels?: RequestedLabels;
}

/** Inactivities of all sensors that may be due in a slice, about. */
const INACTIVITIES_PER_SLICE = 2_000;

interface PreparedRange extends BacktestScope {
  startMs: number;
  endMs: number;
  sensors: readonly Sensor[];
  /** Dates of the last points before the start, by sensor. */
  lastDates: ReadonlyMap<number, number>;
  /** When the rule counts as connected; null for the first point. */
  connectedMs: number | null;
}

export interface BacktestLimits {
  firings: number;
  steps: number;
  episodes: number;
  ms: number;
}

const LIMITS: BacktestLimits = { firings: 1_000, steps: 1_000_000, episodes: 100_000, ms: 10_000 };
/** At most one backtest of each user, so that they do not slow others down. */
const CONCURRENT = 4;
const BUSY = 'a backtest, plan or suggestion of yours is under way';

interface Working {
  pace: BacktestPace;
  windows: BacktestWindows;
  onProgress?: ((part: number) => void) | undefined;
}

/** What the rules of a trial share. */
interface Shared extends Working {
  results: ValueResults;
  facts: ReadonlyMap<number, SensorFacts>;
}

/** A rule, and who takes part in its alerts. */
export interface BacktestSubject {
  rule: TriggerRule;
  audience?: AudienceInput;
  /** The only sensors of the scope that it is connected to. */
  sensorIds?: ReadonlySet<number>;
}

/** A rule, and others that it is compared with. */
export interface BacktestComparing {
  subject: BacktestSubject;
  others: readonly BacktestSubject[];
}

/** Rules that are tried on the same data: it is read once. */
export interface BacktestTrial {
  rules: readonly BacktestComparing[];
  scope: BacktestScope;
}

/** Is called while trials run. */
export interface TrialListener {
  onTried?: (trial: number, results: readonly Backtest[]) => void;
  /** Part of the data of all trials, up to 1. */
  onProgress?: (part: number) => void;
}

/** For decisions, and for the texts of deliveries. */
export const SENSOR_COLUMNS = [
  ...['id', 'dataType', 'useDataStorage', 'retentionDays', 'name'],
  ...['displayName', 'unit', 'dataStructure'],
];

/** Tries rules on stored data with the code of live data. Changes nothing. */
export class BacktestsService {
  /** When the work of each user ends at the latest, by `performance.now()`. */
  private readonly running = new Map<number, number>();

  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly clock: Clock,
    private readonly computing: FairSemaphore<number>,
    private readonly workBudget: ByteBudget,
    private readonly retentionDays: RetentionDays,
    private readonly digestAfter: number,
    private readonly limits: BacktestLimits = LIMITS,
  ) {}

  /**
   * Finds when the rule would have fired, had it been connected at the start. The dates of the data are the clock. Ends
   * early if it takes too long, and reports how far it got.
   */
  async run(
    userId: number,
    subject: BacktestSubject,
    scope: BacktestScope,
    others: readonly BacktestSubject[] = [],
  ): Promise<Backtest> {
    const [[backtest] = []] = await this.runAll(userId, [{ rules: [{ subject, others }], scope }], this.limits.ms);
    if (!backtest) throw new Error('a trial has a result for each rule');
    return backtest;
  }

  /** Runs the trials one after the other: each gets its share of the time that is left. */
  async runAll(
    userId: number,
    trials: readonly BacktestTrial[],
    ms: number,
    { onTried, onProgress }: TrialListener = {},
  ): Promise<Backtest[][]> {
    this.requireFree(userId, ms);
    const endsAt = performance.now() + ms;
    this.running.set(userId, endsAt);
    try {
      const results: Backtest[][] = [];
      for (const [index, trial] of trials.entries()) {
        const now = performance.now();
        const until = now + (endsAt - now) / (trials.length - index);
        const onPart = onProgress && ((part: number) => onProgress((index + part) / trials.length));
        const tried = await this.runTrial(userId, trial, until, onPart);
        onTried?.(index, tried);
        results.push(tried);
      }
      return results;
    } finally {
      this.running.delete(userId);
    }
  }

  /** Throws TooMany if a backtest cannot begin now. */
  requireFree(userId: number, ms = this.limits.ms): void {
    const endsAt = this.running.get(userId);
    if (endsAt !== undefined) throw new TooMany(BUSY, Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)));
    if (this.running.size >= CONCURRENT) throw new TooMany('too many backtests are under way', ms / 1000);
  }

  private async runTrial(
    userId: number,
    trial: BacktestTrial,
    endsAt: number,
    onProgress?: (part: number) => void,
  ): Promise<Backtest[]> {
    const pause = () => this.computing.run(userId, () => setImmediate());
    const pace = new BacktestPace(endsAt, pause);
    const windows = new BacktestWindows(pace, this.workBudget, userId);
    try {
      return await this.runNow(userId, trial, { pace, windows, onProgress });
    } finally {
      windows.release();
    }
  }

  private async runNow(userId: number, { rules, scope }: BacktestTrial, working: Working): Promise<Backtest[]> {
    const { reads } = this.database;
    const { sensorIds, descending } = scope;
    await this.access.requireReadable(userId, sensorIds);
    const endMs = Math.min(scope.endMs ?? Number.MAX_SAFE_INTEGER, this.clock.now());
    const startMs = scope.startMs ?? (await readFirstDate(reads, sensorIds, { startMs: 0, endMs })) ?? endMs + 1;
    const range = await this.readRange(scope, startMs, endMs);
    const all = rules.flatMap(({ subject, others }) => [subject, ...others]).map(({ rule }) => rule);
    const results = new ValueResults(all.map(({ expression }) => expression));
    const shared = { ...working, results, facts: await readFacts(runOn(reads), userId, range, all) };
    const tried: TriedRule[] = [];
    for (const { subject, others } of rules) {
      const one = await this.prepare(userId, subject, range, shared);
      const compared: Tried[] = [];
      for (const other of others) compared.push(await this.prepare(userId, other, range, shared));
      tried.push({ one, others: compared });
    }
    const runs = tried.flatMap(({ one, others }) => [one, ...others]);
    const inactivities = Math.max(1, Math.floor(INACTIVITIES_PER_SLICE / sensorIds.length));
    const shortest = Math.min(...all.map(shortestPeriod));
    // Without the points before the start, nothing can be decided.
    const isPrepared = runs.every(({ hasWindows }) => !hasWindows) || !working.pace.isOver;
    const dataTypes = new Map(range.sensors.map(({ id, dataType }) => [id, dataType]));
    const slicing = { startMs, endMs, maxLengthMs: shortest * 1000 * inactivities };
    let untilMs = isPrepared ? endMs : startMs - 1;
    for await (const slice of isPrepared ? readSlices(reads, sensorIds, slicing) : []) {
      untilMs = await passAll(runs, { ...slice, results: results.rowsOf(slice.points, dataTypes) });
      working.onProgress?.((untilMs - startMs) / (endMs - startMs));
      if (runs.some(({ run }) => run.isOver)) break;
    }
    return tried.map((rule) => resultOf(rule, { untilMs, endMs, descending }));
  }

  private async prepare(
    userId: number,
    { rule, audience: input, sensorIds }: BacktestSubject,
    all: PreparedRange,
    { pace, windows, results, facts }: Shared,
  ): Promise<Tried> {
    const { reads } = this.database;
    const { startMs } = all;
    const range = sensorIds ? { ...all, sensors: all.sensors.filter(({ id }) => sensorIds.has(id)) } : all;
    const start = { rule, startMs, platformDays: this.retentionDays, facts };
    const read = await windows.readAll(reads, range.sensors, start);
    const sensors = range.sensors.map(({ id, dataType }) => ({
      ...{ id, dataType, windows: read.get(id), ...facts.get(id) },
      inactiveSinceMs: range.lastDates.get(id) ?? range.connectedMs,
    }));
    const { steps, episodes, firings } = this.limits;
    const bounds = { steps, episodes, listed: { count: firings, newest: range.descending } };
    const setting = input && (await readAudience(reads, userId, input, range, this.digestAfter));
    const audience = setting && new BacktestAudience(setting);
    const run = new BacktestRun(rule, sensors, startMs, bounds, pace, windows, audience, results.of(rule.expression));
    return { rule, run, audience, hasWindows: read.size > 0, ...sourcesOf(rule, range.labels) };
  }

  /** Inactivity counts from the last point before the start, or else from the start, if that is given. */
  private async readRange(scope: BacktestScope, startMs: number, endMs: number): Promise<PreparedRange> {
    const { sensorIds, startMs: connectedMs = null } = scope;
    const sensors = await Sensor.findAll({ where: { id: sensorIds }, attributes: SENSOR_COLUMNS });
    const isGiven = connectedMs !== null;
    const lastDates = isGiven
      ? await readLastDates(this.database.reads, sensorIds, startMs)
      : new Map<number, number>();
    return { ...scope, startMs, endMs, sensors, lastDates, connectedMs };
  }
}

import { setImmediate } from 'node:timers/promises';
import type { SensorAccess } from '../../access/sensor-access';
import type { ByteBudget } from '../../fairness/byte-budget';
import type { FairSemaphore } from '../../fairness/fair-semaphore';
import type { Clock } from '../../platform/clock';
import { TooMany } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import type { TriggerRule } from '../rules/trigger-rule';
import { type AudienceInput, readAudience } from './audience-reader';
import type { BacktestAudience } from './backtest-audience';
import type { BacktestDelivery } from './backtest-deliveries';
import { BacktestPace } from './backtest-pace';
import { readFirstDate, readLastDates, readSlices } from './backtest-points';
import { type BacktestFiring, BacktestRun, type BacktestSensor } from './backtest-run';
import { BacktestWindows } from './backtest-windows';

export interface BacktestScope {
  sensorIds: number[];
  /** By default the date of the first point. */
  startMs?: number;
  endMs?: number;
  descending: boolean;
}

export interface Backtest {
  points: number;
  firings: BacktestFiring[];
  counts: Record<string, number>;
  lastError: string | null;
  untilMs: number;
  /** There are, or may be, more firings. */
  truncated: boolean;
  /** At most 1,000. */
  deliveries: readonly BacktestDelivery[];
  summary: BacktestSummary;
}

export interface BacktestSummary {
  episodes: number;
  firings: number;
  deliveries: number;
  atNight: number;
  /** Null without an ended episode. */
  medianDurationMs: number | null;
  byNotification: ReadonlyMap<number, number>;
}

/** Inactivities of all sensors that may be due in a slice, about. */
const INACTIVITIES_PER_SLICE = 2_000;

export interface BacktestLimits {
  firings: number;
  steps: number;
  ms: number;
}

const LIMITS: BacktestLimits = { firings: 1_000, steps: 1_000_000, ms: 10_000 };
/** At most one backtest of each user, so that they do not slow others down. */
const CONCURRENT = 4;

interface Working {
  pace: BacktestPace;
  windows: BacktestWindows;
  audience: AudienceInput | undefined;
}

/** Tries rules on stored data with the code of live data. Changes nothing. */
export class BacktestsService {
  private readonly running = new Set<number>();

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
  async run(userId: number, rule: TriggerRule, scope: BacktestScope, audience?: AudienceInput): Promise<Backtest> {
    if (this.running.has(userId)) throw new TooMany('another backtest of yours is under way', this.limits.ms / 1000);
    if (this.running.size >= CONCURRENT) throw new TooMany('too many backtests are under way', this.limits.ms / 1000);
    this.running.add(userId);
    const pause = () => this.computing.run(userId, () => setImmediate());
    const pace = new BacktestPace(performance.now() + this.limits.ms, pause);
    const windows = new BacktestWindows(pace, this.workBudget, userId);
    try {
      return await this.runNow(userId, rule, scope, { pace, windows, audience });
    } finally {
      windows.release();
      this.running.delete(userId);
    }
  }

  private async runNow(
    userId: number,
    rule: TriggerRule,
    scope: BacktestScope,
    { pace, windows, audience: input }: Working,
  ): Promise<Backtest> {
    const { reads } = this.database;
    const { sensorIds, descending } = scope;
    await this.access.requireReadable(userId, sensorIds);
    const endMs = Math.min(scope.endMs ?? Number.MAX_SAFE_INTEGER, this.clock.now());
    const startMs = scope.startMs ?? (await readFirstDate(reads, sensorIds, { startMs: 0, endMs })) ?? endMs + 1;
    const sensors = await this.sensorsAtStart(scope, rule, startMs, windows);
    const bounds = { steps: this.limits.steps, listed: { count: this.limits.firings, newest: descending } };
    const range = { sensorIds, startMs, endMs };
    const audience = input && (await readAudience(reads, userId, input, range, this.digestAfter));
    const run = new BacktestRun(rule, sensors, startMs, bounds, pace, windows, audience);
    const inactivities = Math.max(1, Math.floor(INACTIVITIES_PER_SLICE / sensorIds.length));
    const maxLengthMs = shortestPeriod(rule) * 1000 * inactivities;
    // Without the points before the start, nothing can be decided.
    const isPrepared = sensors.every((sensor) => sensor.windows === undefined) || !pace.isOver;
    let untilMs = isPrepared ? endMs : startMs - 1;
    for await (const slice of isPrepared ? readSlices(reads, sensorIds, { startMs, endMs, maxLengthMs }) : []) {
      untilMs = await run.pass(slice);
      if (run.isOver) break;
    }
    const firings = descending ? run.firings.reverse() : run.firings;
    const truncated = untilMs < endMs || run.fired > firings.length;
    const { points, counts, lastError } = run;
    return { points, firings, counts, lastError, untilMs, truncated, ...outcomeOf(run, audience) };
  }

  /** Inactivity counts from the last point before the start, or else from the start. */
  private async sensorsAtStart(
    { sensorIds, startMs: givenMs }: BacktestScope,
    rule: TriggerRule,
    startMs: number,
    backtest: BacktestWindows,
  ): Promise<BacktestSensor[]> {
    const { reads } = this.database;
    const attributes = ['id', 'dataType', 'useDataStorage', 'retentionDays'];
    const sensors = await Sensor.findAll({ where: { id: sensorIds }, attributes });
    const lastDates = givenMs === undefined ? undefined : await readLastDates(reads, sensorIds, givenMs);
    const platformDays = this.retentionDays;
    const windows = await backtest.readAll(reads, sensors, { rule, startMs, platformDays });
    return sensors.map(({ id, dataType }) => ({
      id,
      dataType,
      inactiveSinceMs: lastDates?.get(id) ?? givenMs ?? null,
      windows: windows.get(id),
    }));
  }
}

function outcomeOf(run: BacktestRun, audience: BacktestAudience | undefined): Pick<Backtest, 'deliveries' | 'summary'> {
  const {
    listed = [],
    total = 0,
    atNight = 0,
    byNotification = new Map<number, number>(),
  } = audience?.deliveries ?? {};
  const { episodes, fired, durations } = run;
  const medianDurationMs = medianOf(durations);
  const summary = { episodes, firings: fired, deliveries: total, atNight, medianDurationMs, byNotification };
  return { deliveries: listed, summary };
}

function medianOf(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Seconds between decisions of the clock on an inactivity. */
function shortestPeriod({ inactivity, repeat }: TriggerRule): number {
  return inactivity === null ? Number.POSITIVE_INFINITY : Math.min(inactivity, repeat || inactivity);
}

import type { SensorWindows } from '../../language/windows/sensor-windows';
import { longestWindow } from '../../language/windows/written-windows';
import type { FiringVariables } from '../../notifications';
import type { DataPoint, SensorDataPoint } from '../../points';
import { type BacktestStep, nextDue, onBacktestPoint, stateAtStart } from '../rules/backtest';
import { shortValue } from '../rules/decision-record';
import type { EpisodeCause } from '../rules/episode';
import type { EpisodeSpan } from '../rules/paired-episodes';
import { factsOf } from '../rules/rule-zones';
import type { TriggerRule } from '../rules/trigger-rule';
import { type AlertState, alertState } from '../rules/trigger-state';
import type { BacktestAudience } from './backtest-audience';
import type { SensorFacts } from './backtest-facts';
import type { BacktestPace } from './backtest-pace';
import type { TimeSlice } from './backtest-points';
import type { BacktestWindows } from './backtest-windows';
import { RunSensor } from './run-sensor';
import type { ValueResult, ValueRow } from './value-results';

export interface BacktestFiring {
  sensorId: number;
  dateMs: number;
  reason: EpisodeCause;
  /** Null for an inactivity. */
  value: string | null;
  variables: FiringVariables;
  episode: BacktestEpisode;
  isMuted: boolean;
}

export type BacktestEpisode = EpisodeSpan;

/** `inactiveSinceMs`: last arrival before the start, if it counts. */
export interface BacktestSensor extends SensorFacts {
  id: number;
  dataType: string;
  inactiveSinceMs: number | null;
  /** Has the points before the start. Given if the expression has windows. */
  windows?: SensorWindows;
}

export interface BacktestBounds {
  steps: number;
  episodes: number;
  listed: { count: number; newest: boolean };
}

/** Points without a change between two looks at the clock. */
const LOOK_AFTER = 64;

export class BacktestRun {
  readonly firings: BacktestFiring[] = [];
  readonly counts: Record<string, number> = {};
  points = 0;
  steps = 0;
  fired = 0;
  /** In order of their beginnings on each sensor. */
  readonly episodes: BacktestEpisode[] = [];
  lastError: string | null = null;
  private readonly sensors: Map<number, RunSensor>;
  private readonly longestMs: number;
  private found: BacktestFiring[] = [];

  constructor(
    private readonly rule: TriggerRule,
    sensors: readonly BacktestSensor[],
    private readonly startMs: number,
    private readonly bounds: BacktestBounds,
    private readonly pace: BacktestPace,
    private readonly windows: BacktestWindows,
    private readonly audience?: BacktestAudience,
    /** Given if the expression reads nothing but the value. */
    results?: ValueResult,
  ) {
    this.sensors = new Map(
      sensors.map((sensor) => {
        const isMuted = (atMs: number) => this.audience?.isMuted(sensor.id, atMs) ?? false;
        const state = stateAtStart(rule, sensor.inactiveSinceMs);
        return [sensor.id, new RunSensor(rule, { ...sensor, isMuted }, state, results)];
      }),
    );
    this.longestMs = longestWindow(rule) * 1000;
  }

  get isOver(): boolean {
    return this.isFull || this.pace.isOver;
  }

  /** Present alert state of a sensor. */
  stateOf(sensorId: number): AlertState {
    const sensor = this.sensors.get(sensorId);
    return sensor ? alertState(sensor.state) : 'ok';
  }

  /**
   * Decides on the points of a slice and what is due by the clock, and yields. Returns where it stopped, or the end of
   * the slice. Throws if the client has disconnected.
   */
  async pass({ points, untilMs, results }: TimeSlice): Promise<number> {
    const reachedMs = await this.passPoints(points, results, untilMs);
    for (const [id, sensor] of this.sensors) if (!sensor.isIdle) this.passDue(id, sensor, reachedMs);
    this.steps += this.audience?.settle(reachedMs) ?? 0;
    this.list();
    // A slice without points has decisions of the clock.
    if (this.pace.isPauseDue) await this.pace.yield();
    return reachedMs;
  }

  private async passPoints(
    points: readonly SensorDataPoint[],
    results: TimeSlice['results'],
    untilMs: number,
  ): Promise<number> {
    // How many points in a row have changed nothing.
    let steady = 0;
    for (let index = 0; index < points.length; index += 1) {
      const point = points[index] as SensorDataPoint; // there is one at each index
      const mustLook = steady % LOOK_AFTER === 0;
      if (index > 0 && (this.isFull || (mustLook && this.pace.isOver))) return point.dateMs - 1;
      if (mustLook && this.pace.isPauseDue) await this.pace.yield();
      this.points += 1;
      const sensor = this.sensors.get(point.sensorId);
      steady = !sensor || this.skips(sensor, point, results?.[index]) ? steady + 1 : 0;
      if (sensor && steady === 0) await this.decide(sensor, point);
    }
    return untilMs;
  }

  private decide(sensor: RunSensor, point: SensorDataPoint): Promise<void> | undefined {
    this.passDue(point.sensorId, sensor, point.dateMs);
    const { windows } = sensor.context;
    if (windows) return this.moveWindows(windows, point).then(() => this.takePoint(sensor, point));
    this.takePoint(sensor, point);
    return undefined;
  }

  private takePoint(sensor: RunSensor, point: SensorDataPoint): void {
    for (const step of onBacktestPoint(this.rule, sensor.state, point, sensor.context)) {
      this.take(point.sensorId, step);
    }
  }

  /** Counts a point that changes nothing but the last value. An acknowledgement in an open episode comes first. */
  private skips(sensor: RunSensor, point: SensorDataPoint, row: ValueRow | undefined): boolean {
    if (!sensor.isIdle && this.nextAcknowledgementMs(point.sensorId) <= point.dateMs) return false;
    const decision = sensor.decideSteady(point, row);
    if (!decision) return false;
    this.steps += 1;
    this.count(decision);
    return true;
  }

  private nextAcknowledgementMs(sensorId: number): number {
    return this.audience?.nextAcknowledgementMs(sensorId) ?? Number.POSITIVE_INFINITY;
  }

  private begin(sensorId: number, beganMs: number): BacktestEpisode {
    const episode = { sensorId, beganMs, endedMs: null };
    this.episodes.push(episode);
    return episode;
  }

  private get isFull(): boolean {
    return this.steps >= this.bounds.steps || this.episodes.length >= this.bounds.episodes;
  }

  private count({ reason }: BacktestStep['decision']): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
  }

  private passDue(sensorId: number, sensor: RunSensor, endMs: number): void {
    for (;;) {
      const acknowledgedMs = this.nextAcknowledgementMs(sensorId);
      const range = { startMs: this.startMs, endMs: Math.min(endMs, acknowledgedMs) };
      const step = nextDue(this.rule, sensor.state, range, sensor.context);
      if (step) this.take(sensorId, step);
      else if (this.audience && acknowledgedMs <= endMs)
        sensor.state = this.audience.acknowledge(sensorId, acknowledgedMs, sensor.state);
      else return;
    }
  }

  private async moveWindows(windows: SensorWindows, point: DataPoint): Promise<void> {
    await this.windows.put(windows, [point]);
    this.windows.drop(windows, point.dateMs - this.longestMs);
  }

  private take(sensorId: number, step: BacktestStep): void {
    const { atMs, cause, decision, state } = step;
    const sensor = this.sensors.get(sensorId);
    if (!sensor) return;
    sensor.state = state;
    const isExpression = cause === 'expression';
    const value = decision.fire && isExpression ? decision.variables.sensor_data_value : null;
    const used = decision.fire ? factsOf(this.rule, sensor.context)?.(value) : undefined;
    this.steps += 1 + (this.audience?.take(sensorId, step, used) ?? 0);
    this.count(decision);
    if (decision.reason === 'cannot-be-evaluated') this.lastError = decision.error ?? null;
    const last = sensor.episodes[cause];
    if (decision.reason === 'resolved' && last) last.endedMs = atMs;
    if (!decision.fire) return;
    const episode = last?.endedMs === null ? last : this.begin(sensorId, atMs);
    sensor.episodes[cause] = episode;
    this.fired += 1;
    this.found.push({
      sensorId,
      dateMs: atMs,
      reason: cause,
      value: shortValue(decision.variables.sensor_data_value),
      variables: { ...withShortTexts(decision.variables), ...(isExpression && used) },
      episode,
      isMuted: decision.reason === 'muted',
    });
  }

  /** Firings by inactivity were found after the others. */
  private list(): void {
    this.firings.push(...this.found.sort((a, b) => a.dateMs - b.dateMs || a.sensorId - b.sensorId));
    this.found = [];
    const { count, newest } = this.bounds.listed;
    const over = this.firings.length - count;
    if (over > 0) this.firings.splice(newest ? 0 : count, over);
  }
}

function withShortTexts(variables: FiringVariables): FiringVariables {
  const { last_sensor_data_value: lastValue, sensor_data_value: value } = variables;
  return { ...variables, last_sensor_data_value: shortValue(lastValue), sensor_data_value: shortValue(value) };
}

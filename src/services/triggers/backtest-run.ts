import { type BacktestStep, nextInactivity, onBacktestPoint, stateAtStart } from '../../domain/backtest';
import { shortened } from '../../domain/decision-record';
import type { TriggerRule } from '../../domain/trigger-rule';
import type { FiringVariables, TriggerState } from '../../domain/trigger-state';
import type { Chunk } from './backtest-points';

/** A time at which the trigger would have fired. */
export interface BacktestFiring {
  sensorId: number;
  dateMs: number;
  reason: 'expression' | 'inactivity';
  /** null for an inactivity. */
  value: string | null;
  variables: FiringVariables;
}

/** A sensor of a backtest; `inactiveSinceMs` is its last arrival before the start, if that is to count. */
export interface BacktestSensor {
  id: number;
  dataType: string;
  inactiveSinceMs: number | null;
}

/** After so long other requests of the process get their turn. */
const SLICE_MS = 20;

/** Runs one rule over the data of some sensors, chunk by chunk, and collects what it would have done. */
export class BacktestRun {
  /** In order of date, and bounded: the first ones, or the last ones when `newest`. */
  readonly firings: BacktestFiring[] = [];
  readonly counts: Record<string, number> = {};
  points = 0;
  /** Decisions made so far. */
  steps = 0;
  fired = 0;
  lastError: string | null = null;
  private readonly sensors: Map<number, { dataType: string; state: TriggerState }>;
  private found: BacktestFiring[] = [];
  private yieldedAt = performance.now();

  constructor(
    private readonly rule: TriggerRule,
    sensors: readonly BacktestSensor[],
    private readonly startMs: number,
    private readonly listed: { count: number; newest: boolean },
  ) {
    this.sensors = new Map(
      sensors.map(({ id, dataType, inactiveSinceMs }) => [
        id,
        { dataType, state: stateAtStart(rule, inactiveSinceMs) },
      ]),
    );
  }

  /** Decides about the points and the inactivities of a chunk, yielding to the event loop whenever it takes long. */
  async pass({ points, untilMs }: Chunk): Promise<void> {
    for (const { sensorId, value, dateMs } of points) {
      this.passInactivities(sensorId, dateMs);
      const sensor = this.sensors.get(sensorId);
      if (sensor) this.take(sensorId, onBacktestPoint(this.rule, sensor.state, { value, dateMs }, sensor.dataType));
      if (performance.now() - this.yieldedAt > SLICE_MS) await this.yieldToEventLoop();
    }
    this.points += points.length;
    for (const id of this.sensors.keys()) this.passInactivities(id, untilMs);
    this.list();
  }

  private passInactivities(sensorId: number, endMs: number): void {
    const sensor = this.sensors.get(sensorId);
    if (!sensor || this.rule.inactivity === null) return;
    const range = { startMs: this.startMs, endMs };
    for (;;) {
      const step = nextInactivity(this.rule, sensor.state, range);
      if (!step) return;
      this.take(sensorId, step);
    }
  }

  private take(sensorId: number, { atMs, decision, point, state }: BacktestStep): void {
    const sensor = this.sensors.get(sensorId);
    if (sensor) sensor.state = state;
    this.steps += 1;
    this.counts[decision.reason] = (this.counts[decision.reason] ?? 0) + 1;
    if (decision.reason === 'cannot-be-evaluated') this.lastError = decision.error ?? null;
    if (!decision.fire) return;
    this.fired += 1;
    this.found.push({
      sensorId,
      dateMs: atMs,
      reason: point ? 'expression' : 'inactivity',
      value: shortened(point?.value ?? null),
      variables: withShortTexts(decision.variables),
    });
  }

  /** Appends the firings of a chunk, which was processed sensor by sensor, in order of date. */
  private list(): void {
    this.firings.push(...this.found.sort((a, b) => a.dateMs - b.dateMs || a.sensorId - b.sensorId));
    this.found = [];
    const over = this.firings.length - this.listed.count;
    if (over > 0) this.firings.splice(this.listed.newest ? 0 : this.listed.count, over);
  }

  private async yieldToEventLoop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.yieldedAt = performance.now();
  }
}

function withShortTexts(variables: FiringVariables): FiringVariables {
  const { last_sensor_data_value: lastValue, sensor_data_value: value } = variables;
  return { ...variables, last_sensor_data_value: shortened(lastValue), sensor_data_value: shortened(value) };
}

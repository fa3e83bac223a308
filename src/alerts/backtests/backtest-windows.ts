import type { ByteBudget } from '../../fairness/byte-budget';
import { SensorWindows, type StoredPoint } from '../../language/windows/sensor-windows';
import { longestWindow, type TriggerExpressions, windowsOf } from '../../language/windows/written-windows';
import { InvalidInput } from '../../platform/errors';
import { partsOf } from '../../platform/parts-of';
import { keptDays, type RetentionDays } from '../../platform/retention';
import { readStoredPoints } from '../../points';
import type { Sensor } from '../../storage/models/sensor.model';
import type { Reader } from '../../storage/read-pool';
import type { SensorFacts } from './backtest-facts';
import type { BacktestPace } from './backtest-pace';

/** The points of all windows are in memory. */
const MAX_SENSORS = 100;
const SENSORS_PER_READ = 5;
const MAX_BACKTEST_BYTES = 32_000_000;
/** Held bytes are charged in such steps. */
const CHARGE_STEP = 262_144;

interface WindowStart {
  rule: TriggerExpressions;
  facts: ReadonlyMap<number, SensorFacts>;
  startMs: number;
  platformDays: RetentionDays;
}

/** The user of the backtest is charged for the windows. */
export class BacktestWindows {
  private held = 0;
  private charged = 0;

  constructor(
    private readonly pace: BacktestPace,
    private readonly budget: ByteBudget,
    private readonly userId: number,
  ) {}

  /**
   * Windows at the start; empty without windows, some if the time is used up. Throws InvalidInput if they hold too
   * much.
   */
  async readAll(
    from: Reader,
    sensors: readonly Sensor[],
    { rule, startMs, platformDays, facts }: WindowStart,
  ): Promise<Map<number, SensorWindows>> {
    const windows = new Map<number, SensorWindows>();
    const [calls, longest] = [windowsOf(rule), longestWindow(rule)];
    if (longest === 0) return windows;
    if (sensors.length > MAX_SENSORS) {
      throw InvalidInput.field('sensor_id', `must name at most ${MAX_SENSORS} sensors if the expression has windows`);
    }
    for (const sensor of sensors) {
      const storage = {
        ...{ dataType: sensor.dataType, keptDays: keptDays(sensor, platformDays) },
        labels: facts.get(sensor.id)?.labels,
      };
      windows.set(sensor.id, new SensorWindows(calls, storage));
    }
    const range = { afterMs: startMs - longest * 1000, untilMs: startMs - 1 };
    for (const part of partsOf([...windows.keys()], SENSORS_PER_READ)) {
      const ranges = part.map((sensorId) => ({ sensorId, ...range }));
      for await (const { sensorId, stored } of readStoredPoints(from, ranges)) {
        const own = windows.get(sensorId);
        if (own) await this.put(own, stored.points, () => this.pace.isOver);
        if (this.pace.isOver) return windows;
      }
    }
    return windows;
  }

  /** Pauses between points. Throws InvalidInput if all windows hold too much. */
  async put(windows: SensorWindows, points: readonly StoredPoint[], mustStop = () => false): Promise<void> {
    const steps = windows.fill(points);
    for (let isDone = false; !isDone && !mustStop(); ) {
      const before = windows.bytes;
      isDone = steps.next().done === true;
      this.hold(windows.bytes - before);
      if (this.pace.isPauseDue) await this.pace.yield();
    }
  }

  /** Drops points that no window ending after `atMs` needs. */
  drop(windows: SensorWindows, atMs: number): void {
    const before = windows.bytes;
    windows.dropBefore(atMs);
    this.held += windows.bytes - before;
  }

  /** Call it however the backtest ended. */
  release(): void {
    this.budget.release(this.userId, this.charged);
    this.charged = 0;
  }

  private hold(bytes: number): void {
    this.held += bytes;
    if (this.held > MAX_BACKTEST_BYTES) {
      const why = `hold more than ${MAX_BACKTEST_BYTES} bytes in the windows of the expressions: name fewer of them`;
      throw InvalidInput.field('sensor_ids', why);
    }
    while (this.held > this.charged) {
      this.budget.charge(this.userId, CHARGE_STEP);
      this.charged += CHARGE_STEP;
    }
  }
}

import type { PoolConnection } from 'mysql2/promise';
import type { WaitingPoint } from '../inbox/inbox-batch';
import { isLate, isTooFarAhead } from '../rules/firing';
import { effectiveRetention, type RetentionDays } from '../rules/retention';
import type { SensorState } from '../rules/sensor-state';
import { type PointWindows, SensorWindows } from '../rules/windows/sensor-windows';
import { whyNotKept } from '../rules/windows/window-storage';
import { windowsOf } from '../rules/windows/written-windows';
import { type PointRange, readStoredPoints, type StoredPoints } from '../storage/window-points';
import type { PassClock } from './pass-clock';

/** Maximum number of points that an actor handles before the clock is read. */
const MOST_AT_ONCE = 256;
/** Maximum number of sensors whose points are read by one statement. */
const SENSORS_PER_STATEMENT = 20;

/** Reads what the points of a sensor need before they are handled. */
export interface PointReader {
  /** Absent if no expression has windows. */
  readonly windows?: PointWindows;
  /** Maximum number of points that may be handled at once. */
  readonly atOnce: number;
  /** Call before a slice that begins at this date is handled. Returns undefined if nothing has to be read. */
  readFor(dateMs: number): Promise<void> | undefined;
}

const READS_NOTHING: PointReader = { atOnce: MOST_AT_ONCE, readFor: () => undefined };

interface WindowSetting {
  connection: PoolConnection;
  passClock: PassClock;
  /** Retention of the platform, in days. */
  retentionDays: RetentionDays;
  nowMs: number;
}

/** The stored points that the windows of a pass need, read when its sensors need them. */
export class PassWindows {
  private readonly readers = new Map<number, WindowReader>();
  private readonly unread = new Set<WindowReader>();

  /** `order`: the sensors in the order in which the pass handles them. Nothing is read for sensors without windows. */
  constructor(
    order: readonly (readonly [SensorState, unknown])[],
    pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
    private readonly setting: WindowSetting,
  ) {
    for (const [state] of order) {
      const points = state.longestWindow === undefined ? undefined : pointsOf.get(state.sensor.id);
      if (!points) continue;
      const reader = new WindowReader(state, points, setting, () => this.readTogether(reader));
      this.readers.set(reader.sensorId, reader);
      if (reader.range) this.unread.add(reader);
    }
  }

  /** The reader of a sensor. It is handed over, so that its points are freed when the sensor is handled. */
  take({ sensor }: SensorState): PointReader {
    const reader = this.readers.get(sensor.id);
    if (!reader) return READS_NOTHING;
    this.readers.delete(sensor.id);
    return reader;
  }

  /** Reads the points of this sensor and of the next ones, by one statement. */
  private async readTogether(first: WindowReader): Promise<void> {
    const others = [...this.unread].filter((reader) => reader !== first).slice(0, SENSORS_PER_STATEMENT - 1);
    const together = [first, ...others];
    for (const reader of together) this.unread.delete(reader);
    const ranges = together.flatMap(({ range }) => range ?? []);
    const read = await readStoredPoints(this.setting.connection, ranges);
    for (const reader of together) reader.takeAll(read.get(reader.sensorId));
  }
}

/** Reads the stored points for the windows of one sensor in a pass. */
class WindowReader implements PointReader {
  readonly sensorId: number;
  /** Everything that the windows of the points of this pass need; undefined if none is evaluated. */
  readonly range: PointRange | undefined;
  readonly windows: SensorWindows;
  private readonly ownerId: number;
  /** It is 1 if more points would need more stored points than are read at once. */
  atOnce = MOST_AT_ONCE;
  private isRead = false;
  /** Until which date the points are read one by one. */
  private reachedMs = Number.NEGATIVE_INFINITY;
  private readonly longestMs: number;

  constructor(
    { sensor, triggers }: SensorState,
    private readonly points: readonly WaitingPoint[],
    private readonly setting: WindowSetting,
    private readonly readTogether: () => Promise<void>,
  ) {
    const { retentionDays, nowMs } = setting;
    const keptDays = effectiveRetention(sensor.keptDays ?? null, retentionDays);
    const all = triggers.flatMap(windowsOf);
    const kept = all.filter(({ seconds }) => whyNotKept(seconds, keptDays) === undefined);
    const lastDates = triggers.map(({ state }) => state.lastDateMs);
    const evaluated = points.filter(
      (point) => !isTooFarAhead(point.dateMs, nowMs) && lastDates.some((lastDateMs) => !isLate(lastDateMs, point)),
    );
    const dates = evaluated.map(({ dateMs }) => dateMs);
    this.sensorId = sensor.id;
    this.ownerId = points[0]?.ownerId ?? 0;
    this.windows = new SensorWindows(all, { dataType: sensor.dataType, keptDays });
    this.longestMs = kept.reduce((longest, { seconds }) => Math.max(longest, seconds), 0) * 1000;
    const isNeeded = this.longestMs > 0 && dates.length > 0;
    const [first, last] = isNeeded ? [Math.min(...dates), Math.max(...dates)] : [0, 0];
    this.range = isNeeded ? { sensorId: sensor.id, afterMs: first - this.longestMs, untilMs: last } : undefined;
  }

  readFor(dateMs: number): Promise<void> | undefined {
    if (!this.range) return undefined;
    if (!this.isRead) return this.readTogether().then(() => this.readFor(dateMs));
    if (this.atOnce > 1 || dateMs <= this.reachedMs || dateMs > this.range.untilMs) return undefined;
    return this.readUntil(dateMs);
  }

  /**
   * Takes the points of the whole range. If there are more than one window may hold, and the pass has several points,
   * the windows of these points are read one after the other instead.
   */
  takeAll(stored: StoredPoints | undefined): void {
    this.isRead = true;
    if (stored?.isCut && this.points.length > 1) this.atOnce = 1;
    else this.take(stored);
  }

  private async readUntil(dateMs: number): Promise<void> {
    const afterMs = Math.max(this.reachedMs, dateMs - this.longestMs);
    const range = { sensorId: this.sensorId, afterMs, untilMs: dateMs };
    const read = await readStoredPoints(this.setting.connection, [range]);
    this.take(read.get(this.sensorId));
    this.windows.dropBefore(dateMs - this.longestMs);
    this.reachedMs = dateMs;
  }

  private take(stored: StoredPoints | undefined): void {
    if (!stored) return;
    const { points } = stored;
    this.setting.passClock.measure(this.ownerId, () => {
      for (const point of points) this.windows.put(point);
    });
  }
}

import type { PoolConnection } from 'mysql2/promise';
import type { WaitingPoint } from '../inbox/inbox-batch';
import { isLate, isTooFarAhead } from '../rules/firing';
import { effectiveRetention, type RetentionDays } from '../rules/retention';
import type { SensorState } from '../rules/sensor-state';
import { type PointWindows, SensorWindows } from '../rules/windows/sensor-windows';
import { whyNotKept } from '../rules/windows/window-storage';
import { windowsOf } from '../rules/windows/written-windows';
import { type PointRange, RANGES_PER_READ, readStoredPoints, type StoredPoints } from '../storage/window-points';
import type { WindowCache } from '../trigger-store/window-cache';
import type { PassClock } from './pass-clock';

/** Maximum number of points that an actor handles before the clock is read. */
const MOST_AT_ONCE = 256;

/** Reads what the points of a sensor need before they are handled. */
export interface PointReader {
  /** Absent if no expression has windows. */
  readonly windows?: PointWindows;
  /** Maximum number of points that may be handled at once. */
  readonly atOnce: number;
  /** Call before a slice that begins at this date is handled. Returns undefined if nothing has to be read. */
  readFor(dateMs: number): Promise<void> | undefined;
  /** Call when all points of the sensor are handled, or left to the next pass. */
  keep(areHandled: boolean): void;
}

const READS_NOTHING: PointReader = { atOnce: MOST_AT_ONCE, readFor: () => undefined, keep: () => undefined };

interface WindowSetting {
  connection: PoolConnection;
  cache: WindowCache;
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
      this.unread.add(reader);
    }
  }

  /** The reader of a sensor. It is handed over, so that its points are freed when the sensor is handled. */
  take({ sensor }: SensorState): PointReader {
    const reader = this.readers.get(sensor.id);
    if (!reader) return READS_NOTHING;
    this.readers.delete(sensor.id);
    reader.prepare();
    if (!reader.range) this.unread.delete(reader);
    return reader;
  }

  /** Caches what was read for sensors that are left to the next pass, which would otherwise read it again. */
  keepUnhandled(): void {
    for (const reader of this.readers.values()) reader.keep(false);
  }

  /** Reads the points of this sensor and of the next ones, by one statement. */
  private async readTogether(first: WindowReader): Promise<void> {
    const others = [...this.unread].filter((reader) => reader !== first).slice(0, RANGES_PER_READ - 1);
    const together = [first, ...others];
    for (const reader of together) {
      this.unread.delete(reader);
      reader.prepare();
    }
    const ranges = together.flatMap(({ range }) => range ?? []);
    const read = await readStoredPoints(this.setting.connection, ranges);
    for (const reader of together) reader.takeAll(read.get(reader.sensorId));
  }
}

/** Reads the stored points for the windows of one sensor in a pass. */
class WindowReader implements PointReader {
  readonly sensorId: number;
  /** What the windows need and the cache lacks; undefined if no point of this pass is evaluated, or not known yet. */
  range: PointRange | undefined;
  windows: SensorWindows | undefined;
  /** It is 1 if more points would need more stored points than are read at once. */
  atOnce = MOST_AT_ONCE;
  private isRead = false;
  /** All points until this date are in the windows. */
  private reachedMs = Number.NEGATIVE_INFINITY;
  private longestMs = 0;
  /** The first date of a point that this pass evaluates. */
  private firstMs = 0;

  constructor(
    private readonly state: SensorState,
    private readonly points: readonly WaitingPoint[],
    private readonly setting: WindowSetting,
    private readonly readTogether: () => Promise<void>,
  ) {
    this.sensorId = state.sensor.id;
  }

  /** Takes the windows out of the cache, and finds what they lack. */
  prepare(): void {
    if (this.windows) return;
    const { state, points, setting } = this;
    const keptDays = effectiveRetention(state.sensor.keptDays ?? null, setting.retentionDays);
    const all = state.triggers.flatMap(windowsOf);
    const lengths = all.flatMap(({ seconds }) => (whyNotKept(seconds, keptDays) === undefined ? [seconds] : []));
    this.longestMs = Math.max(0, ...lengths) * 1000;
    const cached = setting.cache.take(state, points);
    this.windows = cached?.windows ?? new SensorWindows(all, { dataType: state.sensor.dataType, keptDays });
    this.reachedMs = cached?.untilMs ?? Number.NEGATIVE_INFINITY;
    const dates = this.evaluatedDates();
    if (this.longestMs === 0 || dates.length === 0) return;
    this.firstMs = Math.min(...dates);
    const startMs = this.firstMs - this.longestMs;
    this.windows.dropBefore(startMs);
    const afterMs = Math.max(this.reachedMs, startMs);
    this.range = { sensorId: this.sensorId, afterMs, untilMs: Math.max(...dates) };
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
    else this.put(stored);
  }

  /** If the points are left to the next pass, it reads them again, and only them. */
  keep(areHandled: boolean): void {
    const { range, windows, state } = this;
    if (!range || !windows || !this.isRead) return;
    if (areHandled) this.setting.cache.keep(state, windows, range.untilMs);
    else if (this.atOnce > 1) this.setting.cache.keep(state, windows, this.firstMs - 1);
  }

  /** The dates of the points that a trigger may evaluate. */
  private evaluatedDates(): number[] {
    const lastDates = this.state.triggers.map(({ state }) => state.lastDateMs);
    const { nowMs } = this.setting;
    return this.points.flatMap((point) => {
      const isNew = lastDates.some((lastDateMs) => !isLate(lastDateMs, point));
      return isNew && !isTooFarAhead(point.dateMs, nowMs) ? [point.dateMs] : [];
    });
  }

  private async readUntil(dateMs: number): Promise<void> {
    const afterMs = Math.max(this.reachedMs, dateMs - this.longestMs);
    const range = { sensorId: this.sensorId, afterMs, untilMs: dateMs };
    const read = await readStoredPoints(this.setting.connection, [range]);
    this.put(read.get(this.sensorId));
    this.windows?.dropBefore(dateMs - this.longestMs);
    this.reachedMs = dateMs;
  }

  private put(stored: StoredPoints | undefined): void {
    const { windows, points } = this;
    if (!stored || !windows) return;
    this.setting.passClock.measure(points[0]?.ownerId ?? 0, () => {
      for (const point of stored.points) windows.put(point);
    });
  }
}

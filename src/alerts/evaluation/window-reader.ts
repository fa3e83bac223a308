import type { PoolConnection } from 'mysql2/promise';
import type { CompiledWindow } from '../../language/compiled-expression';
import { SensorWindows, type WindowSensor } from '../../language/windows/sensor-windows';
import { whyNotKept } from '../../language/windows/window-storage';
import type { Steps } from '../../platform/steps';
import { type PointRange, RANGES_PER_READ, readStoredPoints, readStoredRange, type StoredPoints } from '../../points';
import type { ReadWindows } from '../trigger-store/window-cache';
import type { PassClock } from './pass-clock';

/** Maximum number of points that are handled before the clock is read. */
export const MOST_AT_ONCE = 256;

/** The windows of one sensor that a pass needs. */
export interface WindowNeeds {
  calls: readonly CompiledWindow[];
  sensor: WindowSensor;
  /** Number of points that the pass handles, and the dates of those that it evaluates. */
  points: number;
  dates: readonly number[];
  /** True if the sensor is left to the next pass. Absent for a service. */
  isCut?: () => boolean;
  /** Takes the windows out of the cache. */
  take(): ReadWindows | undefined;
  /** Puts them into the cache. */
  keep(read: ReadWindows): void;
}

/** Where the points are read, and who measures it. */
export interface ReadSetting {
  connection: PoolConnection;
  passClock: PassClock;
}

/** Readers that have not read yet: when one of them reads, some others read by the same statement. */
export class UnreadReaders {
  private readonly unread = new Set<WindowReader>();

  constructor(readonly setting: ReadSetting) {}

  add(reader: WindowReader): void {
    this.unread.add(reader);
  }

  delete(reader: WindowReader): void {
    this.unread.delete(reader);
  }

  /** Reads the points of this reader and of the next ones, by one statement for each `RANGES_PER_READ` of them. */
  async readTogether(first: WindowReader): Promise<void> {
    const together = await this.together(first);
    const ranges = together.flatMap(({ range }) => range ?? []);
    const bySensor = new Map(together.map((reader) => [reader.sensorId, reader]));
    for await (const { sensorId, stored } of readStoredPoints(this.setting.connection, ranges)) {
      const reader = bySensor.get(sensorId);
      // The others are left to the next pass.
      if (reader && (reader === first || !this.setting.passClock.isFull)) await reader.takeAll(stored);
    }
  }

  /**
   * One reader of each sensor, because what is read is found by its sensor. Finding the windows of all may take long, so
   * the owners with no time left, and those after the end of the pass, are left out.
   */
  private async together(first: WindowReader): Promise<WindowReader[]> {
    const { passClock } = this.setting;
    const bySensor = new Map([[first.sensorId, first]]);
    this.unread.delete(first);
    await first.prepare();
    for (const reader of this.unread) {
      if (bySensor.size === RANGES_PER_READ || passClock.isFull) break;
      if (bySensor.has(reader.sensorId) || passClock.isCut(reader.ownerId)) continue;
      this.unread.delete(reader);
      await reader.prepare();
      bySensor.set(reader.sensorId, reader);
    }
    return [...bySensor.values()];
  }
}

/** Reads the stored points for the windows of one sensor in a pass. */
export class WindowReader {
  /** What the windows need and the cache lacks; undefined if no point of this pass is evaluated, or not known yet. */
  range: PointRange | undefined;
  windows: SensorWindows | undefined;
  /** It is 1 if more points would need more stored points than are read at once. */
  atOnce = MOST_AT_ONCE;
  private needs: WindowNeeds | undefined;
  private isRead = false;
  /** True if the time of the owner ended before all points were put. The next pass continues. */
  private isCut = false;
  /** All points after one date and until the other are in the windows. */
  private afterMs = Number.NEGATIVE_INFINITY;
  private reachedMs = Number.NEGATIVE_INFINITY;
  private longestMs = 0;
  /** The first date of a point that this pass evaluates. */
  private firstMs = 0;

  constructor(
    readonly sensorId: number,
    /** Who is charged for finding the windows, and for computing the values of the points. */
    readonly ownerId: number,
    /** Called when the points are needed. */
    private readonly findNeeds: () => Steps<WindowNeeds>,
    private readonly others: UnreadReaders,
  ) {
    others.add(this);
  }

  /** Number of calls of window functions at each point. */
  get calls(): number {
    return this.needs?.calls.length ?? 0;
  }

  /** Takes the windows out of the cache, and finds what they lack, with pauses. */
  async prepare(): Promise<void> {
    if (!this.needs) await this.others.setting.passClock.runAll(this.ownerId, this.preparation(), () => false);
  }

  private *preparation(): Steps<void> {
    this.needs = yield* this.findNeeds();
    const { calls, sensor, dates } = this.needs;
    const lengths = calls.flatMap(({ seconds }) =>
      whyNotKept(seconds, sensor.keptDays) === undefined ? [seconds] : [],
    );
    this.longestMs = Math.max(0, ...lengths) * 1000;
    this.firstMs = Math.min(...dates);
    const startMs = this.firstMs - this.longestMs;
    this.begin(this.needs, startMs);
    if (this.longestMs === 0 || dates.length === 0) return;
    this.windows?.dropBefore(startMs);
    this.range = { sensorId: this.sensorId, afterMs: Math.max(this.reachedMs, startMs), untilMs: Math.max(...dates) };
    this.isRead = this.range.untilMs <= this.range.afterMs;
  }

  /** Call before a slice that begins at this date is handled. Returns undefined if nothing has to be read. */
  readFor(dateMs: number): Promise<void> | undefined {
    if (!this.range) return undefined;
    if (!this.isRead) return this.others.readTogether(this).then(() => this.readFor(dateMs));
    if (this.atOnce > 1 || dateMs <= this.reachedMs || dateMs > this.range.untilMs) return undefined;
    return this.readUntil(dateMs);
  }

  /**
   * Takes the points of the whole range. If there are more than one window may hold, and the pass has several points,
   * the windows of these points are read one after the other instead.
   */
  async takeAll(stored: StoredPoints): Promise<void> {
    if (!this.range) return;
    this.isRead = true;
    if (stored.isCut && (this.needs?.points ?? 0) > 1) this.atOnce = 1;
    else await this.put(stored, this.range);
  }

  /** Call when the points are handled. If they are left to the next pass, it reads them again, and only them. */
  keep(areHandled: boolean): void {
    const { range, windows, afterMs, longestMs, reachedMs } = this;
    if (!range || !windows || !this.isRead || windows.hasFailed) return;
    const read = { windows, afterMs, longestMs };
    const untilMs = this.isCut ? reachedMs : Math.max(range.untilMs, reachedMs);
    if (areHandled) this.needs?.keep({ ...read, untilMs });
    else if (this.atOnce > 1) this.needs?.keep({ ...read, untilMs: Math.min(untilMs, this.firstMs - 1) });
  }

  /** Begins with the cached windows, if they have what windows from `startMs` on need. */
  private begin({ calls, sensor, take }: WindowNeeds, startMs: number): void {
    const cached = take();
    if (cached?.windows.covers(calls) && this.hasAll(cached, startMs)) {
      this.windows = cached.windows;
      this.reachedMs = cached.untilMs;
      this.afterMs = cached.afterMs;
    } else this.windows = new SensorWindows(calls, sensor);
  }

  /**
   * True for later windows that are no longer than the cached ones. For earlier windows, which points of several sensors
   * need, nothing may have been dropped that they hold.
   */
  private hasAll({ windows, afterMs, untilMs, longestMs }: ReadWindows, startMs: number): boolean {
    if (this.firstMs >= untilMs && this.longestMs <= longestMs) return true;
    return Math.max(afterMs, windows.completeAfterMs) <= startMs;
  }

  private async readUntil(dateMs: number): Promise<void> {
    const range = {
      sensorId: this.sensorId,
      afterMs: Math.max(this.reachedMs, dateMs - this.longestMs),
      untilMs: dateMs,
    };
    await this.put(await readStoredRange(this.others.setting.connection, range), range);
    this.windows?.dropBefore(dateMs - this.longestMs);
  }

  private async put({ points, isCut }: StoredPoints, { afterMs, untilMs }: PointRange): Promise<void> {
    if (afterMs > this.reachedMs) this.afterMs = afterMs;
    if (isCut) this.afterMs = points[0]?.dateMs ?? this.afterMs;
    const { windows, needs } = this;
    if (!windows || !needs) return;
    const { passClock } = this.others.setting;
    const isLeft = () => needs.isCut?.() || passClock.isSpent(this.ownerId);
    const isDone = await passClock.runAll(this.ownerId, windows.fill(points), () => windows.isWhole && isLeft());
    this.isCut ||= !isDone;
    this.reachedMs = isDone ? untilMs : Math.max(this.reachedMs, windows.newestMs);
  }
}

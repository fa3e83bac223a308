import type { PoolConnection } from 'mysql2/promise';
import type { CompiledWindow } from '../../language/compiled-expression';
import { SensorWindows, type WindowSensor } from '../../language/windows/sensor-windows';
import { whyNotKept } from '../../language/windows/window-storage';
import type { Steps } from '../../platform/steps';
import { type PointRange, RANGES_PER_READ, readStoredPoints, readStoredRange, type StoredPoints } from '../../points';
import type { ReadWindows } from '../trigger-store/window-cache';
import type { PassClock } from './pass-clock';

export const MOST_AT_ONCE = 256;

export interface WindowNeeds {
  calls: readonly CompiledWindow[];
  sensor: WindowSensor;
  /** Points that the pass handles, and dates of those that it evaluates. */
  points: number;
  dates: readonly number[];
  /** True if the sensor is left to the next pass. Absent for a service. */
  isCut?: () => boolean;
  take(): ReadWindows | undefined;
  keep(read: ReadWindows): void;
}

export interface ReadSetting {
  connection: PoolConnection;
  passClock: PassClock;
}

/** Readers that have not read yet: some of them share a statement. */
export class UnreadReaders {
  private readonly unread = new Set<WindowReader>();

  constructor(readonly setting: ReadSetting) {}

  add(reader: WindowReader): void {
    this.unread.add(reader);
  }

  delete(reader: WindowReader): void {
    this.unread.delete(reader);
  }

  /** Takes one statement for each `RANGES_PER_READ` readers. */
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
   * One reader per sensor, because points are found by sensor. Finding windows may take long: owners without time left,
   * and those after the end of the pass, are left out.
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

export class WindowReader {
  /** What the cache lacks; undefined if no point is evaluated, or not known yet. */
  range: PointRange | undefined;
  windows: SensorWindows | undefined;
  /** Is 1 if more points would need more stored points than are read at once. */
  atOnce = MOST_AT_ONCE;
  private needs: WindowNeeds | undefined;
  private isRead = false;
  /** The owner's time ended before all points were put. The next pass continues. */
  private isCut = false;
  /** The windows have all points after one date and until the other. */
  private afterMs = Number.NEGATIVE_INFINITY;
  private reachedMs = Number.NEGATIVE_INFINITY;
  private longestMs = 0;
  private firstMs = 0;

  constructor(
    readonly sensorId: number,
    /** Charged for finding windows and computing values. */
    readonly ownerId: number,
    private readonly findNeeds: () => Steps<WindowNeeds>,
    private readonly others: UnreadReaders,
  ) {
    others.add(this);
  }

  /** Calls of window functions at each point. */
  get calls(): number {
    return this.needs?.calls.length ?? 0;
  }

  /** Takes windows out of the cache, and finds what they lack, with pauses. */
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

  /** Call it before a slice from this date. Returns undefined if nothing has to be read. */
  readFor(dateMs: number): Promise<void> | undefined {
    if (!this.range) return undefined;
    if (!this.isRead) return this.others.readTogether(this).then(() => this.readFor(dateMs));
    if (this.atOnce > 1 || dateMs <= this.reachedMs || dateMs > this.range.untilMs) return undefined;
    return this.readUntil(dateMs);
  }

  /**
   * If a range exceeds one window and the pass has several points, their windows are read one after another instead.
   */
  async takeAll(stored: StoredPoints): Promise<void> {
    if (!this.range) return;
    this.isRead = true;
    if (stored.isCut && (this.needs?.points ?? 0) > 1) this.atOnce = 1;
    else await this.put(stored, this.range);
  }

  /** Points that are left to the next pass are read again, and only they. */
  keep(areHandled: boolean): void {
    const { range, windows, afterMs, longestMs, reachedMs } = this;
    if (!range || !windows || !this.isRead || windows.hasFailed) return;
    const read = { windows, afterMs, longestMs };
    const untilMs = this.isCut ? reachedMs : Math.max(range.untilMs, reachedMs);
    if (areHandled) this.needs?.keep({ ...read, untilMs });
    else if (this.atOnce > 1) this.needs?.keep({ ...read, untilMs: Math.min(untilMs, this.firstMs - 1) });
  }

  /** Uses cached windows that have what windows from `startMs` on need. */
  private begin({ calls, sensor, take }: WindowNeeds, startMs: number): void {
    const cached = take();
    if (cached?.windows.covers(calls) && this.hasAll(cached, startMs)) {
      this.windows = cached.windows;
      this.reachedMs = cached.untilMs;
      this.afterMs = cached.afterMs;
    } else this.windows = new SensorWindows(calls, sensor);
  }

  /**
   * True for later windows that are not longer. For earlier ones, which points of several sensors need, nothing that
   * they hold may be dropped.
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

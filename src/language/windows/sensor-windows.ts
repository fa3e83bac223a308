import type { RetentionDays } from '../../platform/retention';
import type { Steps } from '../../platform/steps';
import type { CompiledWindow, Variables } from '../compiled-expression';
import { CannotEvaluate } from '../evaluation-cost';
import type { SensorLabels } from '../labels';
import { type ExpressionValue, readValue } from '../sensor-value';
import { putAt, WindowColumn } from './window-column';
import { computeWindow, MAX_WINDOW_BYTES, MAX_WINDOW_POINTS, SHORT_VALUE_BYTES } from './window-functions';
import { whyNotKept } from './window-storage';

export interface PointWindows {
  /** The window ends at `atMs`. Throws CannotEvaluate without a result. */
  valueOf(window: CompiledWindow, atMs: number): number;
}

/** A long value that was not read has only its size, in bytes. */
export type StoredPoint = { dateMs: number } & ({ value: string } | { value: null; bytes: number });

/** Bytes per sensor: 5,000 points with the numbers of 98 different `x`, or half as many texts. */
const MAX_HELD_BYTES = 4_000_000;
const BYTES_OF_WINDOWS = 1_000;
const VALUES_PER_STEP = 64;

export interface WindowSensor {
  dataType: string;
  /** 0 stores none, null keeps all. */
  keptDays: RetentionDays;
  variablesOf?: (value: ExpressionValue) => Variables;
  labels?: SensorLabels | undefined;
}

const asDataValue = (value: ExpressionValue): Variables => ({ sensor_data_value: value });

/** Points come in any order; one replaces the point of its date. */
export class SensorWindows implements PointWindows {
  private dates: number[] = [];
  private readonly columns = new Map<string, WindowColumn>();
  /** In bytes; 0 for short values. Absent while there is none. */
  private longBytes: number[] | undefined;
  private droppedMs = Number.NEGATIVE_INFINITY;
  private problem: string | undefined;
  private whole = true;

  constructor(
    windows: readonly CompiledWindow[],
    private readonly sensor: WindowSensor,
  ) {
    for (const { key, x } of windows) if (!this.columns.has(key)) this.columns.set(key, new WindowColumn(x));
  }

  get size(): number {
    return this.dates.length;
  }

  /** Approximate memory. */
  get bytes(): number {
    return BYTES_OF_WINDOWS + this.size * this.pointBytes;
  }

  get isWhole(): boolean {
    return this.whole;
  }

  get newestMs(): number {
    return this.dates.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  get hasFailed(): boolean {
    return this.problem !== undefined;
  }

  /** Points up to this date were dropped. No window that begins earlier can be computed. */
  get completeAfterMs(): number {
    return this.droppedMs;
  }

  covers(windows: readonly CompiledWindow[]): boolean {
    return windows.every(({ key }) => this.columns.has(key));
  }

  put(point: StoredPoint): void {
    const steps = this.fill([point]);
    while (!steps.next().done);
  }

  /**
   * Puts points in steps of milliseconds. Before computing a window, run to the end or until `isWhole`. Drops all
   * points if they need too much memory.
   */
  *fill(points: readonly StoredPoint[]): Steps<void> {
    this.requireRoom(points.length);
    let values = 0;
    for (const point of points) {
      if (this.problem !== undefined) return;
      const { dateMs, value } = point;
      const bytes = point.value === null ? point.bytes : longBytesOf(point.value);
      const { at, isKnown } = this.takeDate(dateMs, bytes);
      const { dataType, variablesOf = asDataValue } = this.sensor;
      const variables = variablesOf(value === null ? null : readValue(value, dataType));
      this.whole = false;
      for (const column of this.columns.values()) {
        column.put(variables, this.sensor, at, isKnown);
        if (bytes > 0) yield;
      }
      this.whole = true;
      this.requireRoom(0);
      values += this.columns.size;
      if (bytes === 0 && values < VALUES_PER_STEP) continue;
      values = 0;
      yield;
    }
  }

  /** Points that no window ending after `atMs` needs: too old, or beyond the maximum. */
  dropBefore(atMs: number): void {
    const end = Math.max(this.firstAfter(atMs), this.size - MAX_WINDOW_POINTS - 1);
    // Moving the rest costs as much as it holds, so an eighth of all points is dropped at a time.
    if (end * 8 <= this.size) return;
    this.droppedMs = this.dates.splice(0, end).at(-1) ?? this.droppedMs;
    this.longBytes?.splice(0, end);
    for (const column of this.columns.values()) column.drop(end);
  }

  valueOf(window: CompiledWindow, atMs: number): number {
    const problem = whyNotKept(window.seconds, this.sensor.keptDays);
    if (problem !== undefined) throw new CannotEvaluate(problem);
    if (this.problem !== undefined) throw new CannotEvaluate(this.problem);
    const column = this.columns.get(window.key);
    if (!column) throw new Error(`the points of "${window.name}" are not read`);
    const [start, end] = [this.firstAfter(atMs - window.seconds * 1000), this.firstAfter(atMs)];
    if (this.longBytes) this.requireFits(window, this.longBytes.slice(start, end));
    return computeWindow(window, { dates: this.dates, column, start, end }, atMs);
  }

  private get pointBytes(): number {
    let bytes = this.longBytes ? 16 : 8;
    for (const column of this.columns.values()) bytes += column.pointBytes;
    return bytes;
  }

  private requireRoom(added: number): void {
    if ((this.size + added) * this.pointBytes <= MAX_HELD_BYTES) return;
    this.problem = `the windows of this sensor hold more than ${MAX_HELD_BYTES} bytes: use fewer different "x" in them`;
    this.dates = [];
    this.longBytes = undefined;
    this.columns.clear();
  }

  private takeDate(dateMs: number, bytes: number): { at: number; isKnown: boolean } {
    const at = this.firstAfter(dateMs);
    const isKnown = this.dates[at - 1] === dateMs;
    if (bytes > 0) this.longBytes ??= this.dates.map(() => 0);
    if (!isKnown) putAt(this.dates, at, false, dateMs);
    if (this.longBytes) putAt(this.longBytes, at, isKnown, bytes);
    return { at, isKnown };
  }

  private requireFits({ name, seconds }: CompiledWindow, sizes: readonly number[]): void {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes <= MAX_WINDOW_BYTES) return;
    throw new CannotEvaluate(`values of more than ${MAX_WINDOW_BYTES} bytes within ${seconds} seconds, for "${name}"`);
  }

  private firstAfter(dateMs: number): number {
    const { dates } = this;
    let [low, high] = [0, dates.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((dates[middle] ?? 0) <= dateMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** 0 for a short value. */
function longBytesOf(value: string): number {
  if (value.length * 3 <= SHORT_VALUE_BYTES) return 0;
  const bytes = Buffer.byteLength(value);
  return bytes > SHORT_VALUE_BYTES ? bytes : 0;
}

import type { CompiledExpression, CompiledWindow, Variables } from '../compiled-expression';
import { CannotEvaluate } from '../evaluation-cost';
import type { RetentionDays } from '../retention';
import { type ExpressionValue, readValue } from '../sensor-value';
import {
  computeWindow,
  MAX_WINDOW_BYTES,
  MAX_WINDOW_POINTS,
  SHORT_VALUE_BYTES,
  type WindowValue,
} from './window-functions';
import { whyNotKept } from './window-storage';

/** Computes the windows of an expression. Throws CannotEvaluate if a window has no result. */
export interface PointWindows {
  /** The result of the window function for a window that ends at `atMs`. */
  valueOf(window: CompiledWindow, atMs: number): number;
}

/** A stored point. A long value that was not read has only its size, in bytes. */
export type StoredPoint = { dateMs: number } & ({ value: string } | { value: null; bytes: number });

const BYTES_OF_WINDOWS = 1_000;
const BYTES_OF_STRING = 40;

/** How the values of a sensor are read for its windows. */
export interface WindowSensor {
  dataType: string;
  /** For how many days it keeps its points: 0 if it stores none, null if all. */
  keptDays: RetentionDays;
  /** The variables of `x` at a point. By default the value is `sensor_data_value`. */
  variablesOf?: (value: ExpressionValue) => Variables;
}

const asDataValue = (value: ExpressionValue): Variables => ({ sensor_data_value: value });

/** The values of one `x` at the points of a sensor. */
interface Column {
  x: CompiledExpression;
  values: WindowValue[];
}

/**
 * The stored points of one sensor by date, with the values of each `x` that its windows use. Points may be added in any
 * order; a point replaces the one of its date.
 */
export class SensorWindows implements PointWindows {
  private dates: number[] = [];
  private readonly columns = new Map<string, Column>();
  /** Sizes of the long values, in bytes; 0 for others. Absent as long as there is none. */
  private longBytes: number[] | undefined;
  /** Size of all values in memory. */
  private valueBytes = 0;
  private droppedMs = Number.NEGATIVE_INFINITY;

  constructor(
    windows: readonly CompiledWindow[],
    private readonly sensor: WindowSensor,
  ) {
    for (const { key, x } of windows) if (!this.columns.has(key)) this.columns.set(key, { x, values: [] });
  }

  /** Number of points. */
  get size(): number {
    return this.dates.length;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return BYTES_OF_WINDOWS + (this.longBytes ? 16 : 8) * this.size + this.valueBytes;
  }

  /** The date of the newest point that was dropped. No window that begins earlier can be computed. */
  get completeAfterMs(): number {
    return this.droppedMs;
  }

  /** True if these windows can be computed, once their points are put. */
  covers(windows: readonly CompiledWindow[]): boolean {
    return windows.every(({ key }) => this.columns.has(key));
  }

  put(point: StoredPoint): void {
    const { dateMs, value } = point;
    const bytes = value === null ? point.bytes : longBytesOf(value);
    const at = this.firstAfter(dateMs);
    const isKnown = this.dates[at - 1] === dateMs;
    if (bytes > 0) this.longBytes ??= this.dates.map(() => 0);
    if (!isKnown) insert(this.dates, at, dateMs);
    if (this.longBytes) putAt(this.longBytes, at, isKnown, bytes);
    const { dataType, variablesOf = asDataValue } = this.sensor;
    const variables = variablesOf(value === null ? null : readValue(value, dataType));
    for (const { x, values } of this.columns.values()) {
      const result = x.evaluateToValue(variables);
      const computed = result.ok ? readable(result.value) : undefined;
      this.valueBytes += bytesOf(computed) - (isKnown ? bytesOf(values[at - 1]) : 0);
      putAt(values, at, isKnown, computed);
    }
  }

  /** Drops points that no window ending after `atMs` needs: those that are too old, and those beyond the maximum. */
  dropBefore(atMs: number): void {
    const end = Math.max(this.firstAfter(atMs), this.size - MAX_WINDOW_POINTS - 1);
    // Moving the other points costs as much as they are, so an eighth of all points is dropped at a time.
    if (end * 8 <= this.size) return;
    this.droppedMs = this.dates.splice(0, end).at(-1) ?? this.droppedMs;
    this.longBytes?.splice(0, end);
    for (const { values } of this.columns.values()) {
      for (const value of values.splice(0, end)) this.valueBytes -= bytesOf(value);
    }
  }

  valueOf(window: CompiledWindow, atMs: number): number {
    const problem = whyNotKept(window.seconds, this.sensor.keptDays);
    if (problem !== undefined) throw new CannotEvaluate(problem);
    const values = this.columns.get(window.key)?.values;
    if (!values) throw new Error(`the points of "${window.name}" are not read`);
    const [start, end] = [this.firstAfter(atMs - window.seconds * 1000), this.firstAfter(atMs)];
    if (this.longBytes) this.requireFits(window, this.longBytes.slice(start, end));
    return computeWindow(window, { dates: this.dates, values, start, end }, atMs);
  }

  private requireFits({ name, seconds }: CompiledWindow, sizes: readonly number[]): void {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes <= MAX_WINDOW_BYTES) return;
    throw new CannotEvaluate(`values of more than ${MAX_WINDOW_BYTES} bytes within ${seconds} seconds, for "${name}"`);
  }

  /** The index of the first point after this date. */
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

/** `true` counts as 1, `false` as 0. */
function readable(value: number | string | boolean): WindowValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Approximate size in memory. */
function bytesOf(value: WindowValue): number {
  return typeof value === 'string' ? BYTES_OF_STRING + 2 * value.length : 8;
}

/** Size of a long value in bytes; 0 for a short one. */
function longBytesOf(value: string): number {
  if (value.length * 3 <= SHORT_VALUE_BYTES) return 0;
  const bytes = Buffer.byteLength(value);
  return bytes > SHORT_VALUE_BYTES ? bytes : 0;
}

/** Inserts the item at this index, or replaces the item before it. */
function putAt<T>(list: T[], at: number, replaces: boolean, item: T): void {
  if (replaces) list[at - 1] = item;
  else insert(list, at, item);
}

function insert<T>(list: T[], at: number, item: T): void {
  if (at === list.length) list.push(item);
  else list.splice(at, 0, item);
}

import { CannotEvaluate } from '../evaluation-cost';
import { NO_DIPS, type WindowCall, type WindowFunction } from './window-call';
import type { WindowColumn } from './window-column';

/** Maximum number of stored points in a window. */
export const MAX_WINDOW_POINTS = 5_000;

export const MAX_WINDOW_BYTES = 8_000_000;
/** Longer values are long ones. */
export const SHORT_VALUE_BYTES = 250;

/** Points in order of date, from `start` to `end` (exclusive). */
export interface WindowPart {
  /** In ms. */
  dates: readonly number[];
  column: WindowColumn;
  start: number;
  end: number;
}

// Numbers of the computed window by date. Shared, because computing is synchronous.
const numbers = new Float64Array(MAX_WINDOW_POINTS);
/** Dates of `numbers`, in seconds before the end of the window: 0 or negative. */
const seconds = new Float64Array(MAX_WINDOW_POINTS);

/** Reads the first `count` shared numbers. */
type Compute = (count: number, parameter: number) => number;

/** Functions of numbers, with the fewest numbers that they need. */
const FUNCTIONS: Record<Exclude<WindowFunction, 'count_over_time' | 'changes'>, [fewest: number, compute: Compute]> = {
  sum_over_time: [0, sum],
  avg_over_time: [1, mean],
  min_over_time: [1, (count) => reduce(count, Math.min)],
  max_over_time: [1, (count) => reduce(count, Math.max)],
  stddev_over_time: [1, deviation],
  quantile_over_time: [1, quantile],
  delta: [2, (count) => last(count) - first()],
  increase: [2, increase],
  rate: [2, (count, dip) => increase(count, dip) / ((seconds[count - 1] ?? 0) - (seconds[0] ?? 0))],
  deriv: [2, (count) => regression(count).slope],
  predict_linear: [2, predict],
};

/** The window ends at `atMs`. Throws CannotEvaluate for too many points or too few numbers. */
export function computeWindow(
  { name, seconds: length, parameter }: WindowCall,
  part: WindowPart,
  atMs: number,
): number {
  if (part.end - part.start > MAX_WINDOW_POINTS) {
    throw new CannotEvaluate(`more than ${MAX_WINDOW_POINTS} points within ${length} seconds, for "${name}"`);
  }
  if (name === 'count_over_time') return countValues(part);
  if (name === 'changes') return countChanges(part);
  const count = gatherNumbers(part, atMs);
  const [least, compute] = FUNCTIONS[name];
  // A sum of strings is no 0.
  const fewest = least === 0 && countValues(part) > 0 ? 1 : least;
  if (count < fewest) {
    throw new CannotEvaluate(`"${name}" needs ${fewest} or more numbers within ${length} seconds, and has ${count}`);
  }
  const result = compute(count, parameter);
  if (!Number.isFinite(result)) throw new CannotEvaluate('the result is not a finite number');
  return result;
}

function countValues({ column: { numbers, texts }, start, end }: WindowPart): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (!Number.isNaN(numbers[at]) || texts?.[at]) count += 1;
  return count;
}

function countChanges({ column, start, end }: WindowPart): number {
  const { numbers: all, texts } = column;
  let count = 0;
  let lastNumber = Number.NaN;
  let lastText = 0;
  for (let at = start; at < end; at += 1) {
    const number = all[at] ?? Number.NaN;
    const text = texts ? (texts[at] ?? 0) : 0;
    if (text === 0 && Number.isNaN(number)) continue;
    const isFirst = lastText === 0 && Number.isNaN(lastNumber);
    if (!isFirst && (text !== lastText || (text === 0 && number !== lastNumber))) count += 1;
    lastNumber = number;
    lastText = text;
  }
  return count;
}

function gatherNumbers({ dates, column, start, end }: WindowPart, atMs: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const value = column.numbers[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    numbers[count] = value;
    seconds[count] = ((dates[at] ?? 0) - atMs) / 1000;
    count += 1;
  }
  return count;
}

function first(): number {
  return numbers[0] ?? 0;
}

function last(count: number): number {
  return numbers[count - 1] ?? 0;
}

function sum(count: number): number {
  return sumOfDistances(count, 0);
}

/** Exact for equal numbers: their distances from the first one are 0. */
function mean(count: number): number {
  return first() + sumOfDistances(count, first()) / count;
}

function sumOfDistances(count: number, origin: number): number {
  let [total, lost] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const number = (numbers[at] ?? 0) - origin;
    const next = total + number;
    lost += Math.abs(total) >= Math.abs(number) ? total - next + number : number - next + total;
    total = next;
  }
  return total + lost;
}

function reduce(count: number, choose: (a: number, b: number) => number): number {
  let chosen = first();
  for (let at = 1; at < count; at += 1) chosen = choose(chosen, numbers[at] ?? 0);
  return chosen;
}

/** Standard deviation of the whole population. */
function deviation(count: number): number {
  const center = mean(count);
  let squares = 0;
  for (let at = 0; at < count; at += 1) squares += ((numbers[at] ?? 0) - center) ** 2;
  return Math.sqrt(squares / count);
}

/** Interpolates between two numbers. Sorts the shared numbers. */
function quantile(count: number, share: number): number {
  const sorted = numbers.subarray(0, count).sort();
  const rank = share * (count - 1);
  const below = Math.floor(rank);
  const [low, high] = [sorted[below] ?? 0, sorted[Math.min(below + 1, count - 1)] ?? 0];
  const weight = rank - below;
  return weight === 0 ? low : low * (1 - weight) + high * weight;
}

/** A step up to this many times the number before it ends a dip: a restarted counter does not return at once. */
const RETURN_FACTOR = 2;

/**
 * Sum of all steps up. A lower number is a restart from 0. A counter that may dip also has steps back that count as 0:
 * of at most `dip`, or larger with an immediate return.
 */
function increase(count: number, dip: number): number {
  let total = 0;
  let high = first();
  /** Number and total before the fall, while the counter may return. */
  let fallen: { high: number; total: number } | undefined;
  for (let at = 1; at < count; at += 1) {
    const [previous, value] = [numbers[at - 1] ?? 0, numbers[at] ?? 0];
    if (fallen && value >= fallen.high && value >= previous * RETURN_FACTOR) {
      total = fallen.total;
      high = fallen.high;
      fallen = undefined;
    }
    if (value < high - Math.max(dip, 0)) {
      if (dip !== NO_DIPS) fallen ??= { high, total };
      total += value;
      high = value;
    } else if (value > high) {
      total += value - high;
      high = value;
    }
  }
  return total;
}

function predict(count: number, ahead: number): number {
  const { slope, atEnd } = regression(count);
  return atEnd + slope * ahead;
}

/** Least squares: slope per second, and height at the end of the window. */
function regression(count: number): { slope: number; atEnd: number } {
  let time = 0;
  for (let at = 0; at < count; at += 1) time += seconds[at] ?? 0;
  const [middle, center] = [time / count, mean(count)];
  let [together, squares] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const distance = (seconds[at] ?? 0) - middle;
    together += distance * ((numbers[at] ?? 0) - center);
    squares += distance ** 2;
  }
  const slope = together / squares;
  return { slope, atEnd: center - slope * middle };
}

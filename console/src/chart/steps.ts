/** The power of ten at or below a number. */
export function stepOf(number: number): number {
  return 10 ** Math.floor(Math.log10(number));
}

/** The nearest multiple of a step, without the noise of binary fractions. */
export function roundTo(number: number, step: number): number {
  return Number((Math.round(number / step) * step).toPrecision(12));
}

/** Bounds that are farther from the data than this many of its spans do not widen a scale. */
const REACH = 5;

/** The lowest and the highest number of a scale that shows the data, and the bounds that are not far from it. */
export function reachOf(low: number, high: number, bounds: readonly number[]): [low: number, high: number] {
  const reach = REACH * (high - low || Math.abs(high) || 1);
  const near = bounds.filter((bound) => bound >= low - reach && bound <= high + reach);
  return [Math.min(low, ...near), Math.max(high, ...near)];
}

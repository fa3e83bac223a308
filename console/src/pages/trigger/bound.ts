import type { Line } from '../../chart/shape';
import { roundTo, stepOf } from '../../chart/steps';

const DAY = 86_400;
/** With fewer different numbers nothing is out of the ordinary. */
const FEWEST = 3;
/** The share of days that are ordinary. The others may be the faults that a rule is for. */
const ORDINARY = 0.9;
/** The distance of the bound from ordinary values, as a share of their range. */
const MARGIN = 0.25;

/**
 * A round number that the values of ordinary days do not reach: a quarter of their range above the highest. Undefined if
 * there are too few different numbers.
 */
export function boundAbove({
  dates,
  values,
  low = values,
  high = values,
}: Pick<Line, 'dates' | 'values' | 'low' | 'high'>): number | undefined {
  const days = new Map<number, { least: number; most: number }>();
  dates.forEach((date, at) => {
    const [least, most] = [low[at], high[at]];
    if (typeof least !== 'number' || typeof most !== 'number') return;
    const day = Math.floor(date / DAY);
    const known = days.get(day) ?? { least, most };
    days.set(day, { least: Math.min(least, known.least), most: Math.max(most, known.most) });
  });
  if (new Set([...low, ...high].filter((value) => value !== null)).size < FEWEST) return undefined;
  const all = [...days.values()];
  const top = ordinary(all.map(({ most }) => most));
  const margin = (top + ordinary(all.map(({ least }) => -least))) * MARGIN;
  return margin > 0 ? roundTo(top + margin, stepOf(margin)) : top;
}

/** The highest number after a tenth of the days, those with the highest numbers, is left out. */
function ordinary(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.ceil(numbers.length * ORDINARY) - 1] ?? 0;
}

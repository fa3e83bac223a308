import type { DataPoint, ReceivedDataPoint } from './data-point';

/** A point. In a backtest it has only the fields of a data point. */
export type ArrivedPoint = DataPoint & Partial<ReceivedDataPoint>;

/** Maximum age of a current point. */
export const PRESENT_MS = 60_000;

/** A point dated further ahead of the server's clock than this is not evaluated. */
export const MAX_AHEAD_MS = 3_600_000;

/** A clock counts as wrong if it is further ahead than this. */
const WRONG_CLOCK_MS = 60_000;

/**
 * True if a point is evaluated although the last evaluated one has a later date: the server dated it; or the last one
 * came from a clock that was ahead, and this one is current, so the clock was corrected or another source is right.
 */
function isNewAllTheSame(lastDateMs: number, { dateMs, receivedMs, isDatedHere }: ArrivedPoint): boolean {
  if (isDatedHere) return true;
  if (receivedMs === undefined || lastDateMs - receivedMs <= WRONG_CLOCK_MS) return false;
  return dateMs <= receivedMs && receivedMs - dateMs <= PRESENT_MS;
}

/** The last point that was evaluated. */
interface LastPoint {
  readonly lastDateMs: number | null;
  readonly lastValue: string | null;
}

/**
 * True if a point is stored and not evaluated: the last evaluated one is later, or has its date and value (an upload
 * that was repeated). Another value of the same date is the next point.
 */
export function isLate({ lastDateMs, lastValue }: LastPoint, point: ArrivedPoint): boolean {
  if (lastDateMs === null || point.dateMs > lastDateMs) return false;
  if (point.dateMs === lastDateMs && lastValue !== null && point.value !== lastValue) return false;
  return !isNewAllTheSame(lastDateMs, point);
}

/** True if a point of this date, arriving now, is stored and not evaluated. */
export function isTooFarAhead(dateMs: number, nowMs: number): boolean {
  return dateMs - nowMs > MAX_AHEAD_MS;
}

/** Counts points that are dated too far ahead. Points without a date are dated now by the server. */
export function countAhead(points: readonly { readonly dateMs: number | undefined }[], nowMs: number): number {
  let count = 0;
  for (const { dateMs } of points) if (dateMs !== undefined && isTooFarAhead(dateMs, nowMs)) count += 1;
  return count;
}

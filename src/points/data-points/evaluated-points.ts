import type { DataPoint, ReceivedDataPoint } from './data-point';

export type ArrivedPoint = DataPoint & Partial<ReceivedDataPoint>;

export const PRESENT_MS = 60_000;

export const MAX_AHEAD_MS = 3_600_000;

const WRONG_CLOCK_MS = 60_000;

/** The server dated the point; or the last one came from a clock that was ahead, and this one is current. */
function isNewAllTheSame(lastDateMs: number, { dateMs, receivedMs, isDatedHere }: ArrivedPoint): boolean {
  if (isDatedHere) return true;
  if (receivedMs === undefined || lastDateMs - receivedMs <= WRONG_CLOCK_MS) return false;
  return dateMs <= receivedMs && receivedMs - dateMs <= PRESENT_MS;
}

interface LastPoint {
  readonly lastDateMs: number | null;
  readonly lastValue: string | null;
}

/**
 * The last point is later, or has this date and value (a repeated upload). Another value of that date is the next
 * point.
 */
export function isLate({ lastDateMs, lastValue }: LastPoint, point: ArrivedPoint): boolean {
  if (lastDateMs === null || point.dateMs > lastDateMs) return false;
  if (point.dateMs === lastDateMs && lastValue !== null && point.value !== lastValue) return false;
  return !isNewAllTheSame(lastDateMs, point);
}

/** True if a point that arrives now is stored and not evaluated. */
export function isTooFarAhead(dateMs: number, nowMs: number): boolean {
  return dateMs - nowMs > MAX_AHEAD_MS;
}

export function countAhead(points: readonly { readonly dateMs: number | undefined }[], nowMs: number): number {
  let count = 0;
  for (const { dateMs } of points) if (dateMs !== undefined && isTooFarAhead(dateMs, nowMs)) count += 1;
  return count;
}

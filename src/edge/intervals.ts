/** In seconds. */
export const INTERVALS = [60, 300, 600, 1800, 3600, 86_400, 604_800] as const;

export type Interval = (typeof INTERVALS)[number];

export interface CalendarParts {
  /** ISO 8601, 1 to 53. */
  week: number;
  /** 1 to 12. */
  month: number;
  year: number;
}

const DAY_MS = 86_400_000;
const WEEK_SECONDS = 604_800;
// The epoch was a Thursday, the first Monday came four days later.
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Old clients send this for a day. */
const MISTYPED_DAY = 86_500;

/** Null if there is no interval of this length. */
export function parseInterval(seconds: number): Interval | null {
  const meant = seconds === MISTYPED_DAY ? 86_400 : seconds;
  return INTERVALS.find((interval) => interval === meant) ?? null;
}

/** Counts in UTC; weeks begin on Monday. */
export function intervalStart(dateMs: number, interval: Interval): number {
  const lengthMs = interval * 1000;
  const originMs = interval === WEEK_SECONDS ? FIRST_MONDAY_MS : 0;
  return Math.floor((dateMs - originMs) / lengthMs) * lengthMs + originMs;
}

export interface IntervalPiece {
  readonly fromMs: number;
  readonly lengthMs: number;
}

export function utcIntervals(interval: Interval): readonly IntervalPiece[] {
  return [{ fromMs: intervalStart(0, interval), lengthMs: interval * 1000 }];
}

/** The first piece for an earlier date. */
export function pieceAt(pieces: readonly { fromMs: number }[], dateMs: number): number {
  const next = pieces.findIndex(({ fromMs }) => fromMs > dateMs);
  return Math.max(0, (next < 0 ? pieces.length : next) - 1);
}

/** The start of the interval with the date, and of the next one. */
export function intervalAt(pieces: readonly IntervalPiece[], dateMs: number): { startMs: number; endMs: number } {
  const { fromMs, lengthMs } = pieces[pieceAt(pieces, dateMs)] ?? { fromMs: 0, lengthMs: 1 };
  const startMs = fromMs + Math.floor((dateMs - fromMs) / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

/** UTC. */
export function calendarParts(dateMs: number): CalendarParts {
  const date = new Date(dateMs);
  // A week belongs to the year of its Thursday.
  const thursdayMs = intervalStart(dateMs, WEEK_SECONDS) + 3 * DAY_MS;
  const newYearMs = Date.UTC(new Date(thursdayMs).getUTCFullYear(), 0, 1);
  return {
    week: Math.floor((thursdayMs - newYearMs) / (7 * DAY_MS)) + 1,
    month: date.getUTCMonth() + 1,
    year: date.getUTCFullYear(),
  };
}

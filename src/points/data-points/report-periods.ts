import { type DateInput, readDate } from '../../edge/dates';
import { intervalAt } from '../../edge/intervals';
import { isTimeZone, localDateIn, TIME_ZONE_RULE } from '../../language/local-time';
import { InvalidInput } from '../../platform/errors';
import { localIntervals } from './local-intervals';

export type PeriodLength = 'day' | 'week' | 'month' | 'range';

/** The end does not belong to it. */
export interface Period {
  startMs: number;
  endMs: number;
}

export interface AskedPeriods {
  start_date: DateInput;
  end_date: DateInput;
  by?: PeriodLength;
  timezone?: string;
}

/** A year of days, and a few. */
const MOST_PERIODS = 400;
const DAY = 86_400;
const WEEK = 604_800;
const HALF_DAY_MS = 43_200_000;
/** From the first of a month into the next one. */
const NEXT_MONTH_MS = 32 * DAY * 1000;

/** The periods of a report, up to now. Throws InvalidInput. */
export function readPeriods(asked: AskedPeriods, nowMs: number): Period[] {
  const { by = 'range', timezone = 'UTC' } = asked;
  if (!isTimeZone(timezone)) throw InvalidInput.field('timezone', TIME_ZONE_RULE);
  const startMs = readDate(asked.start_date, 'start_date');
  const endMs = readDate(asked.end_date, 'end_date');
  if (startMs < 0) throw InvalidInput.field('start_date', 'must not be before 1970');
  if (endMs < startMs) throw InvalidInput.field('end_date', 'must not be before start_date');
  const periods = periodsOf(by, timezone, { startMs, endMs: Math.min(endMs, nowMs) }, MOST_PERIODS + 1);
  if (periods.length > MOST_PERIODS) {
    throw InvalidInput.field(
      'end_date',
      `asks for more than ${MOST_PERIODS} periods: choose longer ones, or less time`,
    );
  }
  return periods;
}

/**
 * Divides a range into local days, weeks that begin on Monday, or months; the first and the last may be parts of these.
 * Clock changes make them shorter or longer. Ends after `most` of them.
 */
export function periodsOf(length: PeriodLength, timezone: string, range: Period, most: number): Period[] {
  const periods: Period[] = [];
  for (let startMs = range.startMs; startMs < range.endMs && periods.length < most; ) {
    const endMs = Math.min(range.endMs, endOf(length, timezone, startMs) ?? range.endMs);
    periods.push({ startMs, endMs });
    startMs = endMs;
  }
  return periods;
}

/** Undefined for the whole range. */
function endOf(length: PeriodLength, timezone: string, ms: number): number | undefined {
  switch (length) {
    case 'range':
      return undefined;
    case 'month':
      return nextMonthMs(timezone, ms);
    default:
      return intervalAt(localIntervals(length === 'day' ? DAY : WEEK, timezone), ms).endMs;
  }
}

function nextMonthMs(timezone: string, ms: number): number {
  return firstOfMonth(timezone, firstOfMonth(timezone, ms) + NEXT_MONTH_MS);
}

/** By noon, which clock changes leave on its date. */
function firstOfMonth(timezone: string, ms: number): number {
  const days = localIntervals(DAY, timezone);
  const noonMs = intervalAt(days, ms).startMs + HALF_DAY_MS;
  return intervalAt(days, noonMs - (localDateIn(timezone, noonMs).getUTCDate() - 1) * DAY * 1000).startMs;
}

import type { CsvQuery } from '../../edge/csv-query';
import { type DateInput, readDate } from '../../edge/dates';
import type { PageQuery } from '../../edge/paging';
import { type Period, readPeriods } from '../../points';
import type { NoiseSubject } from './noise-report';

/** The range of a report on alerts, and what its rows are. */
export interface NoiseQuery extends PageQuery, CsvQuery {
  /**
   * Unix seconds: the beginning.
   * @example 1795219200
   */
  start_date: DateInput;
  /**
   * Unix seconds: the end, which does not belong to the report. What lies in the future is left out.
   * @example 1795824000
   */
  end_date: DateInput;
  /**
   * What each row is about: a `trigger`, which is the default, a `sensor`, or a `notification`.
   * @example "trigger"
   */
  by?: NoiseSubject;
  /**
   * The time zone of days and nights, by its name in the IANA database; that of your account by default, or else UTC.
   * @example "Europe/Amsterdam"
   */
  timezone?: string;
}

/** The range whose data is tried. */
export interface SuggestionsQuery {
  /**
   * Unix seconds: the beginning; at most 31 days before the end are tried.
   * @example 1795219200
   */
  start_date: DateInput;
  /**
   * Unix seconds: the end; now if it is later.
   * @example 1795824000
   */
  end_date: DateInput;
  /**
   * Only suggestions for this trigger.
   * @example "5"
   */
  trigger_id?: string;
}

const MOST_TRIED_MS = 31 * 86_400_000;

/** Throws InvalidInput. */
export function readTriedRange(query: SuggestionsQuery, nowMs: number): Period {
  const { start_date, end_date } = query; // a query also has fields that its type does not know
  const [{ startMs, endMs } = emptyRange(query)] = readPeriods({ start_date, end_date }, nowMs);
  return { startMs: Math.max(startMs, endMs - MOST_TRIED_MS), endMs };
}

/** The range of a report and its days, up to now. Throws InvalidInput. */
export function readReported(query: NoiseQuery, timezone: string, nowMs: number): Period & { days: Period[] } {
  const days = readPeriods({ ...query, by: 'day', timezone }, nowMs);
  const { startMs, endMs } = emptyRange(query);
  return { startMs: days[0]?.startMs ?? startMs, endMs: days.at(-1)?.endMs ?? endMs, days };
}

function emptyRange({ start_date: start }: Pick<NoiseQuery, 'start_date'>): Period {
  const startMs = readDate(start, 'start_date');
  return { startMs, endMs: startMs };
}

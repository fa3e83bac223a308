import type { CsvQuery } from '../../edge/csv-query';
import { type DateInput, LAST_DATE_MS, readDate } from '../../edge/dates';
import { parseId } from '../../edge/id';
import { INTERVALS, parseInterval, utcIntervals } from '../../edge/intervals';
import type { PageQuery, SortDirection } from '../../edge/paging';
import type { TimeRange } from '../../edge/time-range';
import { isTimeZone } from '../../language/local-time';
import { InvalidInput } from '../../platform/errors';
import type { Aggregate } from './aggregates';
import { localIntervals } from './local-intervals';

const MAX_SENSORS = 1_000;

/** What the columns of CSV are. */
export type CsvColumns = 'values' | 'sensors';

/** The length of an interval; the values are listed in src/api/openapi/free-schemas.ts. */
export type IntervalSeconds = number;

/** The data points to read. Empty values, and 0 for a date, `next` or `last`, mean "not given". */
export interface DataPointsQuery extends PageQuery, CsvQuery {
  /**
   * The columns of CSV: `values`, which is the default, with a line for each point; or `sensors`, with a line for each
   * date, and columns that have the names and units of the sensors.
   * @example "values"
   */
  columns?: CsvColumns;
  /**
   * Unix seconds: the earliest date, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the latest date, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
  /**
   * Unix seconds: only the data point of exactly this date, or with `next` the first one after it.
   * @example 1795229544.125
   */
  date?: DateInput;
  /**
   * With `date`: only the first data point after that date.
   * @example false
   */
  next?: boolean;
  /**
   * Only the newest data point.
   * @example false
   */
  last?: boolean;
  /**
   * The order of dates: `ASC`, which is the default, or `DESC`.
   * @example "ASC"
   */
  sort?: SortDirection;
  /**
   * One point per interval of this many seconds (UTC, or `timezone`; weeks begin on Monday), dated at the start of the
   * interval, with the `aggregate` of its numbers. In JSON objects each field with numbers is aggregated, including
   * fields of nested objects; the other fields come from the last object. An interval without numbers has its last
   * value. Booleans are not numbers, but `max` is `true` if one of them is, and `min` is `false` if one is.
   * @example 3600
   */
  interval?: IntervalSeconds;
  /**
   * With `interval`: the aggregate of the numbers of each interval, `mean` by default. `all` is the mean with `min`,
   * `max` and `count` next to it.
   * @example "mean"
   */
  aggregate?: Aggregate;
  /**
   * With `interval`: the time zone in which days and weeks begin; with `dates=local` that of the dates. A name of the
   * IANA database; UTC by default.
   * @example "Europe/Amsterdam"
   */
  timezone?: string;
}

/** The same for several sensors. */
export interface SensorsDataQuery extends DataPointsQuery {
  /**
   * The ids of the sensors: `sensor_id[]=1&sensor_id[]=2`.
   * @example ["42"]
   */
  sensor_id: string[];
}

/** A range of dates; both ends belong to it. */
export interface DataRangeQuery {
  /**
   * Unix seconds: the earliest date, inclusive.
   * @example 1795219200
   */
  start_date: DateInput;
  /**
   * Unix seconds: the latest date, inclusive.
   * @example 1795305600
   */
  end_date: DateInput;
}

/** Reads the range of points to delete: here 0 is a date like any other. */
export function readDataRange({ start_date, end_date }: DataRangeQuery): TimeRange {
  const range = { startMs: readDate(start_date, 'start_date'), endMs: readDate(end_date, 'end_date') };
  if (range.endMs < range.startMs) throw InvalidInput.field('end_date', 'must not be before start_date');
  return range;
}

/** Reads the query of points, in milliseconds; both ends belong to the range. */
export function readDataQuery(query: DataPointsQuery) {
  const date = readGivenDate(query.date, 'date');
  const after = date !== undefined && query.next === true;
  const exactly = date !== undefined && !after ? date : undefined;
  const startMs = Math.max(
    ...[readGivenDate(query.start_date, 'start_date'), exactly, after ? date + 1 : undefined].map((ms) => ms ?? 0),
  );
  const endMs = Math.min(...[readGivenDate(query.end_date, 'end_date'), exactly].map((ms) => ms ?? LAST_DATE_MS));
  const one = after ? ('first' as const) : query.last === true ? ('last' as const) : undefined;
  return { startMs, endMs, one, descending: query.sort === 'DESC', intervals: readIntervals(query) };
}

/** Throws InvalidInput for a read with a value: a device that meant to store it would believe that it had. */
export function requireNoValue(query: Readonly<Record<string, unknown>>): void {
  if (query.value === undefined) return;
  const how = 'send it by POST to /sensors/{id}/data, or by GET to /sensors/{id}/data/add';
  throw InvalidInput.field('value', `is not read here: to store a value, ${how}`);
}

/** The sensors of a read, each once. */
export function readSensorIds(given: readonly string[]): number[] {
  if (given.length === 0) throw InvalidInput.field('sensor_id', 'must name at least one sensor');
  if (given.length > MAX_SENSORS) throw InvalidInput.field('sensor_id', `must name at most ${MAX_SENSORS} sensors`);
  const ids = given.map((text, index) => {
    const id = parseId(text);
    if (id === null) throw InvalidInput.field(`sensor_id[${index}]`, 'must be the id of a sensor');
    return id;
  });
  return [...new Set(ids)];
}

function readGivenDate(seconds: number | undefined, field: string): number | undefined {
  return seconds === undefined || seconds === 0 ? undefined : readDate(seconds, field);
}

function readIntervals({ interval, aggregate, timezone }: DataPointsQuery) {
  if (timezone !== undefined && !isTimeZone(timezone)) {
    throw InvalidInput.field('timezone', 'must name a time zone, Europe/Amsterdam for instance');
  }
  if (interval === undefined) {
    if (aggregate !== undefined) throw InvalidInput.field('aggregate', 'is of an interval: give interval, too');
    return undefined;
  }
  const seconds = parseInterval(interval);
  if (seconds === null) throw InvalidInput.field('interval', `must be one of ${INTERVALS.join(', ')}`);
  const pieces = timezone === undefined ? utcIntervals(seconds) : localIntervals(seconds, timezone);
  return { seconds, pieces, aggregate: aggregate ?? 'mean' };
}

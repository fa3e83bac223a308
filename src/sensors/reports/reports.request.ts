import { parseFindFilter } from '../../access/find-filter';
import type { CsvQuery } from '../../edge/csv-query';
import { type DateInput, readDate } from '../../edge/dates';
import type { PageQuery } from '../../edge/paging';
import { isTimeZone, TIME_ZONE_RULE } from '../../language/local-time';
import { InvalidInput } from '../../platform/errors';
import { readSensorIds } from '../../points';
import { type Period, type PeriodLength, periodsOf } from './report-periods';
import type { ReportedSensors } from './reports.service';

/** A year of days, and a few. */
const MOST_PERIODS = 400;

/** The sensors, the range and the periods of a report. */
export interface SensorReportQuery extends PageQuery, CsvQuery {
  /**
   * Only these sensors: `sensor_id[]=1&sensor_id[]=2`.
   * @example ["42"]
   */
  sensor_id?: string[];
  /**
   * Only sensors that match this filter, in JSON as in `POST /sensors/find`.
   * @example "{\"metatag_statement_groups\":[[{\"metatag_name\":\"shop\",\"operator\":\"equal\",\"value\":\"3\"}]]}"
   */
  filter?: string;
  /**
   * With `filter`: the namespace of its metatags; `default` if not given.
   * @maxLength 255
   * @example "default"
   */
  namespace?: string;
  /**
   * Without `sensor_id`: your own sensors (the default), the sensors of others that you can see, or both.
   * @example "me"
   */
  sensor_owner?: 'me' | 'shared' | 'all';
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
   * The periods: each `day`, each `week` from Monday, each `month`, or the whole `range`, which is the default.
   * @example "day"
   */
  by?: PeriodLength;
  /**
   * The time zone in which days, weeks and months begin, and of `dates=local`: a name of the IANA database, UTC by
   * default.
   * @example "Europe/Amsterdam"
   */
  timezone?: string;
}

/** The sensors of a report. */
export function readReportedSensors(query: SensorReportQuery): ReportedSensors {
  const { sensor_id: ids, filter: text = '{}', namespace = 'default', sensor_owner: owner = 'me' } = query;
  const read = parseFindFilter(text, 'filter');
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return { ids: ids && readSensorIds(ids), filter: read.filter, namespace, owner };
}

/** The periods of a report, up to now. */
export function readPeriods(query: SensorReportQuery, nowMs: number): Period[] {
  const { by = 'range', timezone = 'UTC' } = query;
  if (!isTimeZone(timezone)) throw InvalidInput.field('timezone', TIME_ZONE_RULE);
  const startMs = readDate(query.start_date, 'start_date');
  const endMs = readDate(query.end_date, 'end_date');
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

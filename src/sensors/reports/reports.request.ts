import { parseFindFilter } from '../../access/find-filter';
import type { CsvQuery } from '../../edge/csv-query';
import type { DateInput } from '../../edge/dates';
import type { PageQuery } from '../../edge/paging';
import { InvalidInput } from '../../platform/errors';
import { type PeriodLength, readSensorIds } from '../../points';
import type { ReportedSensors } from './reports.service';

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

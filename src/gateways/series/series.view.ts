import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { SeriesRow } from './series.service';

/** The outside name of a series, and the sensor that it leads to. */
export interface SeriesView {
  /** @example "12" */
  id: string;
  /**
   * As the protocol names it: measurement and tags, an EUI, a topic.
   * @example "weather,station=roof"
   */
  name: string;
  /**
   * The sensor that gets the points of the series.
   * @example "42"
   */
  sensor_id: string;
  /**
   * The protocol that named it first.
   * @example "influx"
   */
  source: string;
  /**
   * The family of protocols whose names it is among, and the namespace of the metatags that they report.
   * @example "influx"
   */
  namespace: string;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds: the date of the latest stored point of its sensor; `null` if there is none.
   * @example 1795229544.125
   */
  last: number | null;
}

/** The response with one series. */
export interface SeriesResponse {
  series: SeriesView;
}

/** The response with a page of series. */
export interface SeriesListResponse extends PageTotal {
  series: SeriesView[];
}

export function toSeriesView({ id, name, sensorId, source, namespace, createdMs, lastMs }: SeriesRow): SeriesView {
  return {
    id: String(id),
    name,
    sensor_id: String(sensorId),
    source,
    namespace,
    created: toUnixSeconds(createdMs),
    last: toUnixSecondsOrNull(lastMs),
  };
}

import { toUnixSeconds } from '../../edge/dates';
import { calendarParts } from '../../edge/intervals';
import type { PageOf, PageTotal } from '../../edge/paging';
import type { StoredDataPoint } from './data-point';

/** A data point. */
export interface DataPointView {
  /**
   * Unique among the data points of the sensor; up to 16 digits.
   * @example "1795229544126"
   */
  id: string;
  /** @example "42" */
  sensor_id: string;
  /**
   * Always a string; a JSON value as JSON text.
   * @example "21.5"
   */
  value: string;
  /**
   * Unix seconds with up to 3 decimals.
   * @example 1795229544.125
   */
  date: number;
  /**
   * The ISO week of the date (UTC).
   * @isInt
   * @example 47
   */
  week: number;
  /**
   * 1 to 12.
   * @isInt
   * @example 11
   */
  month: number;
  /**
   * @isInt
   * @example 2026
   */
  year: number;
  /**
   * The lowest number of an interval, in the form of a value; only with `aggregate=all`.
   * @example "20.5"
   */
  min?: string;
  /**
   * The highest number of an interval, in the form of a value; only with `aggregate=all`.
   * @example "22.5"
   */
  max?: string;
  /**
   * The number of numbers; `"0"` if the value is the last one.
   * @example "12"
   */
  count?: string;
}

/** The response with a page of data points. */
export interface DataPointsResponse extends PageTotal {
  data: DataPointView[];
}

/** The response to an upload. */
export interface UploadResponse {
  data: {
    /**
     * The number of data points that were stored; each date of a sensor counts once.
     * @isInt
     * @example 1
     */
    accepted: number;
    /**
     * The number of these that no trigger evaluates: older than the latest point of their sensor, or more than an hour
     * ahead. Left out when there are none.
     * @isInt
     * @example 1
     */
    not_evaluated?: number;
  };
}

/** The response to the deletion of a range. */
export interface DeletedDataResponse {
  /**
   * The number of data points that were deleted.
   * @isInt
   * @example 1
   */
  deleted: number;
  /**
   * True if points of the range remain, because there were too many for one request; left out if there are none.
   * @example true
   */
  more?: boolean;
}

export function toDataPointView(point: StoredDataPoint): DataPointView {
  return {
    id: String(point.id),
    sensor_id: String(point.sensorId),
    value: point.value,
    date: toUnixSeconds(point.dateMs),
    ...calendarParts(point.dateMs),
    ...point.extremes,
  };
}

export function toDataPointsResponse({ items, total }: PageOf<StoredDataPoint>): DataPointsResponse {
  const data = items.map(toDataPointView);
  return total === undefined ? { data } : { data, total };
}

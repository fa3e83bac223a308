import { readDataQuery, readSensorIds } from './data-reads.request';
import type { SortDirection } from './paging';

/** On which stored data to try a trigger. */
export interface BacktestRequest {
  /**
   * The sensors whose data is used: your own, and those that you may see.
   * @example ["42"]
   */
  sensor_ids?: string[];
  /**
   * The same, for one sensor.
   * @example ["42"]
   */
  sensor_id?: string[];
  /**
   * Unix seconds: when the trigger is to be taken for connected. Not given: with the first data point.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795219200
   */
  start_date?: number;
  /**
   * Unix seconds: until when, this instant included. Now, when it is not given or later.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795305600
   */
  end_date?: number;
  /**
   * The order of the firings by date: `ASC`, which is the default, or `DESC`.
   * @example "ASC"
   */
  sort?: SortDirection;
}

/** A rule that need not be saved. */
export interface BacktestRule {
  /**
   * True lets the trigger fire. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
  /**
   * Seconds without data after which the trigger fires: a whole number, 60 at least. 0 means none.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3600
   */
  inactivity?: number;
}

/** A rule, and on which stored data to try it. */
export interface RuleBacktestRequest extends BacktestRequest {
  trigger: BacktestRule;
}

/** The data that a backtest is to use, times in ms. */
export function readBacktestScope({ sensor_ids = [], sensor_id = [], start_date, end_date, sort }: BacktestRequest) {
  const { startMs, endMs, descending } = readDataQuery({ start_date, end_date, sort });
  // 0 is what a date that is not given is read as.
  return { sensorIds: readSensorIds([...sensor_ids, ...sensor_id]), startMs: startMs || undefined, endMs, descending };
}

import type { DateInput } from '../../edge/dates';
import type { SortDirection } from '../../edge/paging';
import { readDataQuery, readSensorIds } from '../../points';
import type { RuleFields } from '../triggers/triggers.request';

/** The stored data to use for a backtest. */
export interface BacktestRequest {
  /**
   * The sensors whose data is used: your own, and others that you can see.
   * @example ["42"]
   */
  sensor_ids?: string[];
  /**
   * More sensors, under the name that is used for a single one.
   * @example ["42"]
   */
  sensor_id?: string[];
  /**
   * Unix seconds: when the trigger counts as connected; the date of the first data point if not given.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the end, inclusive; now if it is later or not given.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795305600
   */
  end_date?: DateInput;
  /**
   * The order of the firings by date: `ASC`, which is the default, or `DESC`.
   * @example "ASC"
   */
  sort?: SortDirection;
}

/** A rule to backtest without saving it. */
export interface BacktestRule extends RuleFields {
  /**
   * The trigger fires when this is true. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
}

/** A rule to backtest, and the stored data to use. */
export interface RuleBacktestRequest extends BacktestRequest {
  trigger: BacktestRule;
}

/** Reads the data of a backtest, times in ms. */
export function readBacktestScope({ sensor_ids = [], sensor_id = [], start_date, end_date, sort }: BacktestRequest) {
  const { startMs, endMs, descending } = readDataQuery({ start_date, end_date, sort });
  // 0 is an absent date.
  return { sensorIds: readSensorIds([...sensor_ids, ...sensor_id]), startMs: startMs || undefined, endMs, descending };
}

import type { Backtest } from '../services/triggers/backtests.service';
import { toUnixSeconds } from './unix-seconds';

/** A time at which the trigger would have fired. */
export interface BacktestFiringView {
  /** @example "42" */
  sensor_id: string;
  /**
   * Unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /**
   * `expression` or `inactivity`.
   * @example "expression"
   */
  reason: string;
  /**
   * The value that made it fire, cut after 100 characters; `null` of an inactivity.
   * @example "31.2"
   */
  value: string | null;
  /**
   * The variables of the expression as they would have been.
   * @example { "sensor_data_value": "31.2", "last_sensor_data_value": "29.5", "times_triggered": 1 }
   */
  variables: Record<string, unknown>;
}

/** What a trigger would have done. */
export interface BacktestView {
  /**
   * The number of data points that were looked at.
   * @example 1440
   */
  points: number;
  /** At most 1,000. */
  firings: BacktestFiringView[];
  /**
   * How often it would have fired (`fired`, and `inactive-sensor` for an inactivity), and how often not, by the reasons of
   * the list of decisions.
   * @example { "fired": 3, "false": 1402, "once-a-minute": 35 }
   */
  counts: Record<string, number>;
  /**
   * Why the expression could not be evaluated the last time; `""` when it always could.
   * @example ""
   */
  last_error: string;
  /**
   * Unix seconds: until when data was looked at. It is earlier than the end when there was too much of it.
   * @example 1795305600
   */
  until: number;
  /**
   * Whether there are, or may be, more firings than those listed.
   * @example false
   */
  truncated: boolean;
}

/** The answer that carries what a trigger would have done. */
export interface BacktestResponse {
  backtest: BacktestView;
}

export function toBacktestView({ points, firings, counts, lastError, untilMs, truncated }: Backtest): BacktestView {
  return {
    points,
    firings: firings.map(({ sensorId, dateMs, reason, value, variables }) => ({
      sensor_id: String(sensorId),
      date: toUnixSeconds(dateMs),
      reason,
      value,
      variables,
    })),
    counts,
    last_error: lastError ?? '',
    until: toUnixSeconds(untilMs),
    truncated,
  };
}

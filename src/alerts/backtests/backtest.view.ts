import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { FiringVariables } from '../../notifications';
import type { FiringReason } from '../firings/firing.view';
import type { Backtest } from './backtests.service';

/** A firing of the backtested trigger. */
export interface BacktestFiringView {
  /** @example "42" */
  sensor_id: string;
  /**
   * Unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /** @example "expression" */
  reason: FiringReason;
  /**
   * The value that made it fire, cut after 100 characters; `null` for an inactivity.
   * @example "31.2"
   */
  value: string | null;
  /** The variables of the expression at this firing. */
  variables: FiringVariables;
  /**
   * When its episode would have ended, in unix seconds; `null` if it lasts at the end of the data.
   * @example 1795229844.125
   */
  ended: number | null;
}

/**
 * Number of decisions for each reason; reasons without decisions are left out.
 * @example { "fired": 3, "false": 1402, "once-a-minute": 35 }
 */
export type DecisionCounts = {
  /** @isInt */
  fired?: number;
  /** @isInt */
  'inactive-sensor'?: number;
  /** @isInt */
  false?: number;
  /** @isInt */
  resolved?: number;
  /** @isInt */
  pending?: number;
  /** @isInt */
  'held-back'?: number;
  /** @isInt */
  'keeps-firing'?: number;
  /** @isInt */
  'once-a-minute'?: number;
  /** @isInt */
  'no-previous-value'?: number;
  /** @isInt */
  'cannot-be-evaluated'?: number;
  /** @isInt */
  late?: number;
  /** @isInt */
  'too-far-ahead'?: number;
  /** @isInt */
  'no-expression'?: number;
  /** @isInt */
  inactive?: number;
  /** @isInt */
  'not-due'?: number;
};

/** The result of a backtest. */
export interface BacktestView {
  /**
   * The number of data points that were read.
   * @isLong
   * @example 1440
   */
  points: number;
  /** At most 1,000. */
  firings: BacktestFiringView[];
  /**
   * The number of firings (`fired`, and `inactive-sensor` for an inactivity), and of other decisions by their reasons
   * in the list of decisions.
   */
  counts: DecisionCounts;
  /**
   * Why the expression could not be evaluated the last time; `\"\"` if it could.
   * @example ""
   */
  last_error: string;
  /**
   * Unix seconds: until when data was read; earlier than the end if there was too much of it.
   * @example 1795305600
   */
  until: number;
  /**
   * Whether there are, or may be, more firings than those listed.
   * @example false
   */
  truncated: boolean;
}

/** The response with the result of a backtest. */
export interface BacktestResponse {
  backtest: BacktestView;
}

export function toBacktestView({ points, firings, counts, lastError, untilMs, truncated }: Backtest): BacktestView {
  return {
    points,
    firings: firings.map(({ sensorId, dateMs, reason, value, variables, episode }) => ({
      sensor_id: String(sensorId),
      date: toUnixSeconds(dateMs),
      reason,
      value,
      variables,
      ended: toUnixSecondsOrNull(episode.endedMs),
    })),
    counts,
    last_error: lastError ?? '',
    until: toUnixSeconds(untilMs),
    truncated,
  };
}

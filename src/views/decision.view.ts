import type { DecisionReason, DecisionRecord } from '../domain/decision-record';
import type { FiringVariables } from '../domain/trigger-state';
import { toUnixSeconds, toUnixSecondsOrNull } from './unix-seconds';

/** What a trigger on a sensor decided once. */
export interface DecisionView {
  /**
   * When it was decided, in unix seconds.
   * @example 1795229544.83
   */
  date: number;
  /**
   * `fired`; or why it did not fire: `false`, `once-a-minute`, `late` (not newer than the last one evaluated),
   * `too-far-ahead`, `no-previous-value`, `cannot-be-evaluated`, `no-expression`. Of an inactivity `inactive-sensor` when it fired, else
   * `once-a-minute`, or `not-due` when its end was moved.
   * @example "false"
   */
  reason: DecisionReason;
  /** @example false */
  fired: boolean;
  /**
   * Why it could not be evaluated; `""` when it could.
   * @example ""
   */
  error: string;
  /**
   * The value that it was about, cut after 100 characters; `null` when it was about an inactivity.
   * @example "22.5"
   */
  value: string | null;
  /**
   * The date of that value, in unix seconds.
   * @example 1795229544.125
   */
  value_date: number | null;
  /**
   * The variables as the expression met them; `times_triggered` counts earlier firings only.
   */
  variables: FiringVariables;
}

/** The answer that carries the latest decisions. */
export interface DecisionsResponse {
  /**
   * While it is `false` nothing is decided, and nothing gets into the list.
   * @example true
   */
  active: boolean;
  decisions: DecisionView[];
}

export function toDecisionView(record: DecisionRecord): DecisionView {
  return {
    date: toUnixSeconds(record.decidedMs),
    reason: record.reason as DecisionReason, // the log holds nothing else
    fired: record.fired,
    error: record.error ?? '',
    value: record.value,
    value_date: toUnixSecondsOrNull(record.valueDateMs),
    variables: record.variables,
  };
}

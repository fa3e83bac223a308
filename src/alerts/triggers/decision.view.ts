import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { FiringVariables } from '../../notifications';
import { type HeldByView, toHeldByView } from '../firings/firing.view';
import type { HeldBy } from '../firings/held-by';
import type { DecisionReason, DecisionRecord } from '../rules/decision-record';

/** A decision of a trigger on a sensor. */
export interface DecisionView {
  /**
   * When it was decided, in unix seconds.
   * @example 1795229544.83
   */
  date: number;
  /**
   * `fired`, or `muted` if it fired and nothing was delivered; otherwise why it did not fire: `false`, `resolved`
   * (false, which ends an episode), `pending` (true, for less than `hold`), `held-back` (by `repeat`), `keeps-firing` (false, but
   * `resolve_expression` is not true, or not for as long as `keep_firing_for`), `acknowledged`,
   * `once-a-minute`, `late` (not newer than the last one evaluated), `too-far-ahead`, `no-previous-value`,
   * `cannot-be-evaluated`, `no-expression`. For an inactivity `inactive-sensor` or `muted` if it fired, `resolved` if
   * data ended its episode, otherwise `held-back`, `acknowledged`, `once-a-minute`, or `not-due` if its end was moved.
   * @example "false"
   */
  reason: DecisionReason;
  /** @example false */
  fired: boolean;
  /**
   * Why it could not be evaluated; `""` if it could.
   * @example ""
   */
  error: string;
  /**
   * The value of the data point, cut after 100 characters; `null` for an inactivity.
   * @example "22.5"
   */
  value: string | null;
  /**
   * The date of the data point in unix seconds; `null` for an inactivity.
   * @example 1795229544.125
   */
  value_date: number | null;
  /**
   * The seconds for which the expression had been true when it fired: the `hold` of the trigger at that time. 0 without
   * a hold, and if it did not fire.
   * @isInt
   * @example 0
   */
  hold: number;
  /**
   * The version of the trigger that decided.
   * @isInt
   * @example 1
   */
  trigger_version: number;
  /**
   * What holds the deliveries of this firing, or held them last; `null` if nothing did, and if it did not fire.
   */
  held_by: HeldByView | null;
  /**
   * The variables that the expression was evaluated with; `times_triggered` counts earlier firings only.
   */
  variables: FiringVariables;
}

/** The response with the latest decisions. */
export interface DecisionsResponse {
  /**
   * Whether the trigger is active on the sensor. While it is not, no decisions are made.
   * @example true
   */
  active: boolean;
  decisions: DecisionView[];
}

export function toDecisionView(record: DecisionRecord, heldBy: HeldBy | null): DecisionView {
  return {
    date: toUnixSeconds(record.decidedMs),
    reason: record.reason as DecisionReason, // the log holds nothing else
    fired: record.fired,
    error: record.error ?? '',
    value: record.value,
    value_date: toUnixSecondsOrNull(record.valueDateMs),
    hold: record.hold,
    trigger_version: record.triggerVersion,
    held_by: toHeldByView(heldBy),
    variables: record.variables,
  };
}

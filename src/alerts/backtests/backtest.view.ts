import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { FiringVariables } from '../../notifications';
import type { FiringReason } from '../firings/firing.view';
import type { BacktestDelivery } from './backtest-deliveries';
import type { LabelSource } from './backtest-facts';
import type { BacktestComparison, BacktestSummary } from './backtest-outcome';
import type { Backtest } from './backtest-result';
import type { BacktestEpisode } from './backtest-run';

const MOST_LISTED = 1_000;

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
  /**
   * True if a mute would have held back its deliveries.
   * @example false
   */
  muted: boolean;
}

/**
 * Number of decisions for each reason; reasons without decisions are left out.
 * @example { "fired": 3, "false": 1402, "once-a-minute": 35 }
 */
export type DecisionCounts = {
  /** @isInt */
  fired?: number;
  /** @isInt */
  muted?: number;
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

/** A delivery that would have gone out if the trigger depended on no other one. */
export interface BacktestDeliveryView {
  /** @example "7" */
  notification_id: string;
  /**
   * `null` for a digest.
   * @example "42"
   */
  sensor_id: string | null;
  /**
   * When it would have gone out, in unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /**
   * `fired`; `escalation`, because the episode lasted for `after`; `resolved`, the end of an episode; `digest`, several at
   * once, after a mute or beyond the limit of a minute.
   * @example "fired"
   */
  kind: 'fired' | 'resolved' | 'escalation' | 'digest';
  /**
   * Its text, cut after 1,000 characters.
   * @example "greenhouse: 31.2"
   */
  text: string;
}

/** The deliveries of one notification. */
export interface NotificationCountView {
  /** @example "7" */
  notification_id: string;
  /**
   * @isInt
   * @example 12
   */
  deliveries: number;
}

/** All that would have happened, in numbers. */
export interface BacktestSummaryView {
  /**
   * @isInt
   * @example 3
   */
  episodes: number;
  /**
   * Muted ones included.
   * @isInt
   * @example 5
   */
  firings: number;
  /**
   * @isInt
   * @example 12
   */
  deliveries: number;
  /**
   * Those of them between 22:00 and 7:00, in the time zone of your account, or else of the trigger.
   * @isInt
   * @example 4
   */
  at_night: number;
  /**
   * Of the episodes that ended, in seconds; `null` without one.
   * @example 420
   */
  median_duration: number | null;
  by_notification: NotificationCountView[];
}

/** An episode of one of two rules. */
export interface ComparedEpisodeView {
  /** @example "42" */
  sensor_id: string;
  /**
   * When it began, in unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /**
   * When it ended, in unix seconds; `null` if it lasts at the end of the data.
   * @example 1795229844.125
   */
  ended: number | null;
}

/** Two episodes that overlap. */
export interface PairedEpisodeView extends ComparedEpisodeView {
  /**
   * Seconds by which the episode of the other rule began later; negative if it began earlier.
   * @example 120
   */
  later: number;
  /**
   * When the episode of the other rule ended, as `ended`.
   * @example 1795229900.125
   */
  other_ended: number | null;
}

/** What another rule would have done on the same data. */
export interface BacktestComparisonView {
  /** Episodes of this rule that overlap one of the other: at most 1,000, as the next two lists. */
  both: PairedEpisodeView[];
  /** Episodes of this rule alone. */
  only_this: ComparedEpisodeView[];
  /** Episodes of the other rule alone. */
  only_other: ComparedEpisodeView[];
  /**
   * The number of all episodes of both.
   * @isInt
   * @example 12
   */
  both_count: number;
  /**
   * @isInt
   * @example 26
   */
  only_this_count: number;
  /**
   * @isInt
   * @example 0
   */
  only_other_count: number;
  /** Who would have been notified by the other rule, in order of time: at most 1,000. */
  deliveries: BacktestDeliveryView[];
  /** The other rule in numbers. */
  summary: BacktestSummaryView;
}

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
  /**
   * The source of the values of `label(…)`: `present` for the present metatags, which count for the whole range; `given`
   * for the request; `null` if the rule names no label.
   * @example null
   */
  labels: LabelSource | null;
  /**
   * The source of zones: `present` for the present outlines and places, which count for the whole range; `null` if the
   * rule reads no zone.
   * @example null
   */
  zones: 'present' | null;
  /** Who would have been notified, in order of time: at most 1,000. */
  deliveries: BacktestDeliveryView[];
  summary: BacktestSummaryView;
  /** Only with `compare`. */
  comparison?: BacktestComparisonView;
}

/** The response with the result of a backtest. */
export interface BacktestResponse {
  backtest: BacktestView;
  /**
   * Names the triggers that the rules depend on, which a backtest leaves out.
   * @example "dependencies are left out, so what they would hold counts as delivered: \"sensor offline\" → \"gateway offline\""
   */
  warning?: string;
}

export function toBacktestView(backtest: Backtest): BacktestView {
  const { points, firings, counts, lastError, untilMs, truncated, labels, zones, deliveries, summary } = backtest;
  const [comparison] = backtest.comparisons;
  return {
    points,
    firings: firings.map(({ sensorId, dateMs, reason, value, variables, episode, isMuted }) => ({
      sensor_id: String(sensorId),
      date: toUnixSeconds(dateMs),
      reason,
      value,
      variables,
      ended: toUnixSecondsOrNull(episode.endedMs),
      muted: isMuted,
    })),
    counts,
    last_error: lastError ?? '',
    until: toUnixSeconds(untilMs),
    truncated,
    labels,
    zones,
    deliveries: deliveries.map(toDeliveryView),
    summary: toSummaryView(summary),
    ...(comparison && { comparison: toComparisonView(comparison) }),
  };
}

export function toComparisonView(comparison: BacktestComparison): BacktestComparisonView {
  const { both, onlyThis, onlyOther, deliveries, summary } = comparison;
  return {
    both: both.slice(0, MOST_LISTED).map(([one, other]) => ({
      ...toEpisodeView(one),
      later: (other.beganMs - one.beganMs) / 1000,
      other_ended: toUnixSecondsOrNull(other.endedMs),
    })),
    only_this: onlyThis.slice(0, MOST_LISTED).map(toEpisodeView),
    only_other: onlyOther.slice(0, MOST_LISTED).map(toEpisodeView),
    ...{ both_count: both.length, only_this_count: onlyThis.length, only_other_count: onlyOther.length },
    deliveries: deliveries.map(toDeliveryView),
    summary: toSummaryView(summary),
  };
}

export function toEpisodeView({ sensorId, beganMs, endedMs }: BacktestEpisode): ComparedEpisodeView {
  return { sensor_id: String(sensorId), date: toUnixSeconds(beganMs), ended: toUnixSecondsOrNull(endedMs) };
}

export function toDeliveryView({
  notificationId,
  sensorId,
  dateMs,
  kind,
  text,
}: BacktestDelivery): BacktestDeliveryView {
  return {
    notification_id: String(notificationId),
    sensor_id: sensorId === null ? null : String(sensorId),
    date: toUnixSeconds(dateMs),
    kind,
    text,
  };
}

export function toSummaryView(summary: BacktestSummary): BacktestSummaryView {
  const { episodes, firings, deliveries, atNight, medianDurationMs, byNotification } = summary;
  const counted = [...byNotification].sort(([a], [b]) => a - b);
  return {
    ...{ episodes, firings, deliveries, at_night: atNight },
    median_duration: medianDurationMs === null ? null : medianDurationMs / 1000,
    by_notification: counted.map(([id, count]) => ({ notification_id: String(id), deliveries: count })),
  };
}

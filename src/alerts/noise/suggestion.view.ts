import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { Period } from '../../points';
import type { BacktestSummary } from '../backtests/backtest-outcome';
import type { EpisodeSpan } from '../rules/paired-episodes';
import type { RuleChange } from './suggestion-candidates';
import type { Suggestion, Suggestions } from './suggestions.service';

const MOST_LISTED = 100;
const SHADOW_DAYS = 7;
const FIELDS = {
  hold: 'hold',
  keepFiringFor: 'keep_firing_for',
  resolveExpression: 'resolve_expression',
  expression: 'expression',
} as const satisfies Record<RuleChange['field'], string>;

/** What a rule would have done on the tried sensors. */
export interface TriedNoiseView {
  /**
   * @isInt
   * @example 38
   */
  episodes: number;
  /**
   * @isInt
   * @example 76
   */
  deliveries: number;
  /**
   * Deliveries between 22:00 and 7:00.
   * @isInt
   * @example 20
   */
  at_night: number;
}

/** By how much later the alerts begin that stay. */
export interface DelayView {
  /**
   * Seconds.
   * @example 300
   */
  median: number;
  /**
   * Seconds.
   * @example 420
   */
  longest: number;
}

/** An alert that would not have been. */
export interface LostEpisodeView {
  /** @example "42" */
  sensor_id: string;
  /**
   * When it began, in unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /**
   * When it ended, in unix seconds; `null` if it lasts at the end of the range.
   * @example 1795229604.125
   */
  ended: number | null;
}

/** The changed field, and for how many days its shadow runs. */
export interface SuggestedShadow {
  /**
   * @isInt
   * @example 300
   */
  hold?: number;
  /**
   * @isInt
   * @example 600
   */
  keep_firing_for?: number;
  /** @example "sensor_data_value < 28" */
  resolve_expression?: string;
  /** @example "sensor_data_value > 32" */
  expression?: string;
  /**
   * @isInt
   * @example 7
   */
  days: number;
}

/** A change of one field of a trigger, and what it would have done. */
export interface SuggestionView {
  /** @example "5" */
  trigger_id: string;
  /** @example "too warm" */
  trigger_name: string;
  /** @example "hold" */
  field: 'hold' | 'keep_firing_for' | 'resolve_expression' | 'expression';
  /**
   * The present value.
   * @example 0
   */
  from: number | string | null;
  /**
   * The suggested value.
   * @example 300
   */
  to: number | string;
  /**
   * The sensors on which it was tried: those with alerts, at most 50.
   * @example ["42"]
   */
  sensor_ids: string[];
  /** The present rule on the stored data of these sensors, with the present mutes and the recorded acknowledgements. */
  before: TriedNoiseView;
  /** The changed rule. */
  after: TriedNoiseView;
  delay: DelayView;
  /** Alerts that would not have been, at most 100; none of them was acknowledged. */
  lost: LostEpisodeView[];
  /**
   * @isInt
   * @example 31
   */
  lost_count: number;
  /**
   * The number of alerts that would have been part of another one.
   * @isInt
   * @example 0
   */
  merged: number;
  /** For `POST /triggers/{trigger_id}/shadow`, in a body `{"shadow": …}`. */
  shadow: SuggestedShadow;
}

/** The response with suggestions for the noisiest triggers. */
export interface SuggestionsResponse {
  /**
   * Unix seconds: when the tried range begins.
   * @example 1795219200
   */
  start: number;
  /**
   * Unix seconds: its end.
   * @example 1795824000
   */
  end: number;
  suggestions: SuggestionView[];
  /**
   * `false` if something was not tried: because the time was over, there was too much data, or somebody acknowledged
   * alerts on more than 50 sensors of a trigger.
   * @example true
   */
  complete: boolean;
}

export function toSuggestionsResponse({ suggestions, isComplete }: Suggestions, range: Period): SuggestionsResponse {
  return {
    start: toUnixSeconds(range.startMs),
    end: toUnixSeconds(range.endMs),
    suggestions: suggestions.map(toSuggestionView),
    complete: isComplete,
  };
}

function toSuggestionView(suggestion: Suggestion): SuggestionView {
  const { trigger, sensorIds, change, before, after, delay, lost, merged } = suggestion;
  const field = FIELDS[change.field];
  return {
    trigger_id: String(trigger.id),
    trigger_name: trigger.name,
    ...{ field, from: trigger[change.field], to: change.to },
    sensor_ids: sensorIds.map(String),
    ...{ before: toTriedView(before), after: toTriedView(after) },
    delay: { median: toUnixSeconds(delay.medianMs), longest: toUnixSeconds(delay.longestMs) },
    lost: lost.slice(0, MOST_LISTED).map(toLostView),
    ...{ lost_count: lost.length, merged },
    shadow: { [field]: change.to, days: SHADOW_DAYS },
  };
}

function toTriedView({ episodes, deliveries, atNight }: BacktestSummary): TriedNoiseView {
  return { episodes, deliveries, at_night: atNight };
}

function toLostView({ sensorId, beganMs, endedMs }: EpisodeSpan): LostEpisodeView {
  return { sensor_id: String(sensorId), date: toUnixSeconds(beganMs), ended: toUnixSecondsOrNull(endedMs) };
}

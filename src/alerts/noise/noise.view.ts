import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { localDateIn } from '../../language/local-time';
import type { AskedNoise, Noise } from './noise.service';
import { DURATION_BOUNDS, type NoiseNumbers } from './noise-count';
import type { NoiseSubject } from './noise-report';

/** How much noise alerts made. */
export interface NoiseNumbersView {
  /**
   * Episodes that began in the range.
   * @isInt
   * @example 38
   */
  episodes: number;
  /**
   * Firings in the range, with repeats and muted ones.
   * @isInt
   * @example 41
   */
  firings: number;
  /**
   * Messages that arrived about these firings: alerts, escalations, acknowledgements and ends. Several in a digest are
   * one.
   * @isInt
   * @example 82
   */
  deliveries: number;
  /**
   * Deliveries that were sent between 22:00 and 7:00.
   * @isInt
   * @example 20
   */
  at_night: number;
  /**
   * Episodes that somebody acknowledged.
   * @isInt
   * @example 4
   */
  acknowledged: number;
  /**
   * Median of the seconds from the beginning of an episode to its acknowledgement; `null` if nobody acknowledged.
   * @example 240
   */
  median_to_acknowledge: number | null;
  /**
   * Median duration of ended episodes in seconds; `null` if none has ended.
   * @example 95.5
   */
  median_duration: number | null;
  /**
   * Episodes that ended within 5 minutes and were never acknowledged.
   * @isInt
   * @example 31
   */
  ended_alone: number;
  /**
   * Ended episodes by how long they lasted: the first number is of those shorter than the first of `duration_bounds`, the
   * last one of those that reached the last of these.
   * @example [12, 19, 4, 2, 1, 0, 0]
   */
  durations: number[];
}

/** The noise of a trigger, of a sensor, or to a notification. */
export interface NoiseRowView extends NoiseNumbersView {
  /** @example "5" */
  id: string;
  /**
   * Its present name; of a notification without one what it is sent to. `null` if it was deleted.
   * @example "too warm"
   */
  name: string | null;
}

/** A local day. */
export interface NoiseDayView {
  /** @example "2026-11-23" */
  date: string;
  /**
   * When it begins, in unix seconds.
   * @example 1795388400
   */
  start: number;
  /**
   * Episodes that began on this day.
   * @isInt
   * @example 5
   */
  episodes: number;
  /**
   * Messages that arrived about the firings of this day.
   * @isInt
   * @example 11
   */
  deliveries: number;
  /**
   * Deliveries that were sent between 22:00 and 7:00.
   * @isInt
   * @example 3
   */
  at_night: number;
}

/** The response with the report on alerts. */
export interface NoiseResponse extends PageTotal {
  /**
   * Unix seconds.
   * @example 1795219200
   */
  start: number;
  /**
   * Unix seconds: the end of the range, at most the time of the request.
   * @example 1795824000
   */
  end: number;
  /** @example "Europe/Amsterdam" */
  timezone: string;
  /** @example "trigger" */
  by: NoiseSubject;
  /** A page of rows, the noisiest first: by deliveries, then by episodes. */
  rows: NoiseRowView[];
  /** Everything in numbers. */
  summary: NoiseNumbersView;
  /** Each day of the range. */
  days: NoiseDayView[];
  /**
   * Seconds that divide `durations`.
   * @example [60, 300, 900, 3600, 21600, 86400]
   */
  duration_bounds: number[];
}

export function toNoiseResponse({ rows, summary, days }: Noise, asked: AskedNoise): NoiseResponse {
  const { by, timezone, startMs: fromMs, endMs } = asked;
  return {
    ...{ start: toUnixSeconds(fromMs), end: toUnixSeconds(endMs), timezone, by },
    rows: rows.items.map(({ id, name, ...numbers }) => ({ id: String(id), name, ...toNumbersView(numbers) })),
    total: rows.total,
    summary: toNumbersView(summary),
    days: days.map(({ startMs, episodes, deliveries, atNight }) => ({
      date: localDateIn(timezone, startMs).toISOString().slice(0, 10),
      start: toUnixSeconds(startMs),
      ...{ episodes, deliveries, at_night: atNight },
    })),
    duration_bounds: [...DURATION_BOUNDS],
  };
}

function toNumbersView(numbers: NoiseNumbers): NoiseNumbersView {
  const { episodes, firings, deliveries, atNight, acknowledged, endedAlone, durations } = numbers;
  const { medianToAcknowledgeMs, medianDurationMs } = numbers;
  return {
    ...{ episodes, firings, deliveries, at_night: atNight, acknowledged },
    median_to_acknowledge: toUnixSecondsOrNull(medianToAcknowledgeMs),
    median_duration: toUnixSecondsOrNull(medianDurationMs),
    ...{ ended_alone: endedAlone, durations },
  };
}

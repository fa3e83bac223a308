import { medianOf } from '../../platform/median-of';
import { type EpisodeSpan, type PairedEpisodes, pairEpisodes } from '../rules/paired-episodes';
import type { BacktestAudience } from './backtest-audience';
import type { BacktestDelivery } from './backtest-deliveries';

export interface BacktestOutcome {
  /** At most 1,000. */
  deliveries: readonly BacktestDelivery[];
  summary: BacktestSummary;
}

/** The outcome of the other rule, and the episodes of both. */
export interface BacktestComparison extends BacktestOutcome, PairedEpisodes<EpisodeSpan> {}

export interface BacktestSummary {
  episodes: number;
  firings: number;
  deliveries: number;
  atNight: number;
  /** Null without an ended episode. */
  medianDurationMs: number | null;
  byNotification: ReadonlyMap<number, number>;
}

/** `fired` is the number of firings, with muted ones. */
export function outcomeOf(
  { episodes, fired }: { episodes: readonly EpisodeSpan[]; fired: number },
  audience: BacktestAudience | undefined,
): BacktestOutcome {
  const {
    listed = [],
    total = 0,
    atNight = 0,
    byNotification = new Map<number, number>(),
  } = audience?.deliveries ?? {};
  const durations = episodes.flatMap(({ beganMs, endedMs }) => (endedMs === null ? [] : endedMs - beganMs));
  const counted = { episodes: episodes.length, firings: fired, deliveries: total };
  const summary = { ...counted, atNight, medianDurationMs: medianOf(durations), byNotification };
  return { deliveries: listed, summary };
}

export function comparedWith(
  episodes: readonly EpisodeSpan[],
  others: readonly EpisodeSpan[],
  outcome: BacktestOutcome,
): BacktestComparison {
  return { ...outcome, ...pairEpisodes(episodes, others) };
}

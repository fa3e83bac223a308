import type { TriggerRule } from '../rules/trigger-rule';
import type { BacktestAudience } from './backtest-audience';
import type { FactSources } from './backtest-facts';
import { type BacktestComparison, type BacktestOutcome, comparedWith, outcomeOf } from './backtest-outcome';
import type { BacktestEpisode, BacktestFiring, BacktestRun } from './backtest-run';

export interface Backtest extends BacktestOutcome, FactSources {
  points: number;
  firings: BacktestFiring[];
  counts: Record<string, number>;
  lastError: string | null;
  untilMs: number;
  /** There are, or may be, more firings. */
  truncated: boolean;
  /** Not all data was tried. */
  isCut: boolean;
  episodes: readonly BacktestEpisode[];
  /** One for each of the other rules. */
  comparisons: readonly BacktestComparison[];
}

export interface Tried extends FactSources {
  rule: TriggerRule;
  run: BacktestRun;
  audience: BacktestAudience | undefined;
  hasWindows: boolean;
}

export interface TriedRule {
  one: Tried;
  others: readonly Tried[];
}

export function resultOf(
  { one, others }: TriedRule,
  { untilMs, endMs, descending }: { untilMs: number; endMs: number; descending: boolean },
): Backtest {
  const { run } = one;
  const firings = descending ? run.firings.reverse() : run.firings;
  const truncated = untilMs < endMs || run.fired > firings.length;
  const { points, counts, lastError } = run;
  const comparisons = others.map((other) =>
    comparedWith(run.episodes, other.run.episodes, outcomeOf(other.run, other.audience)),
  );
  return {
    ...{ points, firings, counts, lastError, untilMs, truncated, ...outcomeOf(run, one.audience) },
    ...{ isCut: untilMs < endMs, labels: one.labels, zones: one.zones, episodes: run.episodes, comparisons },
  };
}

import { medianOf } from '../../platform/median-of';
import type { BacktestComparison, BacktestSummary } from '../backtests/backtest-outcome';
import type { EpisodeSpan } from '../rules/paired-episodes';
import type { RuleChange } from './suggestion-candidates';

export interface Effect {
  change: RuleChange;
  before: BacktestSummary;
  after: BacktestSummary;
  /** By how much the episodes that stay begin later. */
  delay: { medianMs: number; longestMs: number };
  /** Episodes during which the changed rule has none. */
  lost: EpisodeSpan[];
  /** Episodes that would be part of another one. */
  merged: number;
}

/** A change that saves less is not worth it. */
const LEAST_SAVED = 0.2;
const MOST_KEPT = 2;
/** An alert that lasts longer than the longest one by this is as good as none. */
const LONGER_MS = 86_400_000;

/**
 * Undefined if the change saves too little, removes or merges an acknowledged episode, or has one that hardly ends.
 * `endMs`: until when both rules were tried.
 */
export function effectOf(
  change: RuleChange,
  before: BacktestSummary,
  comparison: BacktestComparison,
  { acknowledged, endMs }: { acknowledged: readonly EpisodeSpan[]; endMs: number },
): Effect | undefined {
  const { both, onlyThis, onlyOther, summary: after } = comparison;
  if (both.length === 0 || noiseOf(after, before) > (1 - LEAST_SAVED) * noiseOf(before, before)) return undefined;
  if (hardlyEnds(change, comparison, endMs)) return undefined;
  const known = new Times(acknowledged);
  if (onlyThis.some((episode) => known.meets(episode))) return undefined;
  const others = new Times([...both.map(([, other]) => other), ...onlyOther]);
  const lost = onlyThis.filter((episode) => !others.meets(episode));
  const later = both.map(([one, other]) => Math.max(0, other.beganMs - one.beganMs));
  const delay = { medianMs: medianOf(later) ?? 0, longestMs: later.reduce((most, ms) => Math.max(most, ms), 0) };
  return { change, before, after, delay, lost, merged: onlyThis.length - lost.length };
}

/** An end that the data does not reach, or reaches too seldom. */
function hardlyEnds({ field }: RuleChange, { both, onlyThis, onlyOther }: BacktestComparison, endMs: number): boolean {
  const present = [...onlyThis, ...both.map(([one]) => one)];
  const changed = [...onlyOther, ...both.map(([, other]) => other)];
  const lasted = ({ beganMs, endedMs }: EpisodeSpan) => (endedMs ?? endMs) - beganMs;
  const longest = present.reduce((most, one) => Math.max(most, lasted(one)), 0);
  if (changed.some((one) => lasted(one) > longest + LONGER_MS)) return true;
  const open = new Set(present.flatMap(({ sensorId, endedMs }) => (endedMs === null ? [sensorId] : [])));
  const isLeftOpen = ({ sensorId, endedMs }: EpisodeSpan) => endedMs === null && !open.has(sensorId);
  return field === 'resolveExpression' && changed.some(isLeftOpen);
}

/** The best change of each of two fields. */
export function chooseBest(effects: readonly Effect[]): Effect[] {
  const sorted = [...effects].sort(
    (a, b) =>
      noiseOf(a.after, a.before) - noiseOf(b.after, b.before) ||
      a.after.atNight - b.after.atNight ||
      a.lost.length - b.lost.length ||
      a.delay.longestMs - b.delay.longestMs,
  );
  const best = new Map<RuleChange['field'], Effect>();
  for (const effect of sorted) if (!best.has(effect.change.field)) best.set(effect.change.field, effect);
  return [...best.values()].slice(0, MOST_KEPT);
}

function noiseOf({ deliveries, episodes }: BacktestSummary, before: BacktestSummary): number {
  return before.deliveries > 0 ? deliveries : episodes;
}

/** The times of episodes on each sensor, to be searched. */
class Times {
  private readonly bySensor = new Map<number, { fromMs: number; untilMs: number }[]>();

  constructor(episodes: readonly EpisodeSpan[]) {
    for (const { sensorId, beganMs, endedMs } of [...episodes].sort((a, b) => a.beganMs - b.beganMs)) {
      const own = this.bySensor.get(sensorId) ?? [];
      this.bySensor.set(sensorId, own);
      const untilMs = endedMs ?? Number.MAX_SAFE_INTEGER;
      const last = own.at(-1);
      if (last && beganMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, untilMs);
      else own.push({ fromMs: beganMs, untilMs });
    }
  }

  meets({ sensorId, beganMs, endedMs }: EpisodeSpan): boolean {
    const own = this.bySensor.get(sensorId) ?? [];
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((own[middle]?.untilMs ?? 0) < beganMs) low = middle + 1;
      else high = middle;
    }
    const found = own[low];
    return found !== undefined && found.fromMs <= (endedMs ?? Number.MAX_SAFE_INTEGER);
  }
}

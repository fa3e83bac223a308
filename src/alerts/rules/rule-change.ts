import type { EpisodeCause } from './episode';
import type { TriggerRule } from './trigger-rule';

/** What an edit does to open episodes whose part of the rule changes. */
export type EpisodesOnEdit = 'end' | 'keep';

/** What becomes of the states of a trigger when its rule changes. */
export interface RuleChange {
  /** Their open episodes end. */
  ends: readonly EpisodeCause[];
  /** A pending alert begins again at the next true point. */
  restartsPending: boolean;
  /** The end of an open episode that waits for `keep_firing_for` waits for another point. */
  restartsClear: boolean;
}

/**
 * The only place that decides what an edit does to episodes. A part that the rule no longer has ends its episodes in
 * any case: nothing would ever end them.
 */
export function ruleChange(
  before: Required<TriggerRule>,
  after: Required<TriggerRule>,
  episodes: EpisodesOnEdit,
): RuleChange {
  const isOther = (field: keyof TriggerRule) => before[field] !== after[field];
  const changed = { expression: isOther('expression') || isOther('hold'), inactivity: isOther('inactivity') };
  const ends = (cause: EpisodeCause) => changed[cause] && (episodes === 'end' || after[cause] === null);
  return {
    ends: (['expression', 'inactivity'] as const).filter(ends),
    restartsPending: changed.expression,
    restartsClear: episodes === 'keep' && (isOther('expression') || isOther('resolveExpression')),
  };
}

import { dueAt, type Outage } from './inactivity';
import { type RuleChange, ruleChange } from './rule-change';
import type { TriggerRule } from './trigger-rule';
import { changed, NOT_WAITING, type TriggerState } from './trigger-state';

interface Edit {
  before: Required<TriggerRule>;
  after: Required<TriggerRule>;
  nowMs: number;
  outages: readonly Outage[];
}

/**
 * The state of a sensor trigger after an edit that keeps episodes: what `changeStates` does to its row. An inactivity
 * that the trigger did not watch counts from now.
 */
export function changedState(state: TriggerState, edit: Edit): TriggerState {
  const change = ruleChange(edit.before, edit.after, 'keep');
  return watching(afterCondition(state, change, edit), edit);
}

function afterCondition(
  state: TriggerState,
  { ends, restartsPending, restartsClear }: RuleChange,
  { before, after, nowMs }: Edit,
): TriggerState {
  let next = state;
  if (ends.includes('expression')) next = changed(next, { ...NOT_WAITING, episode: null }, nowMs);
  if (ends.includes('inactivity')) next = changed(next, { inactivityEpisode: null }, nowMs);
  if (restartsPending && next.pendingSinceMs !== null)
    next = changed(next, { pendingSinceMs: null, conditionDueMs: null }, nowMs);
  if (next.clearSinceMs === null) return next;
  if (restartsClear) return { ...next, clearSinceMs: null, conditionDueMs: null };
  const longerMs = (after.keepFiringFor - before.keepFiringFor) * 1000;
  return { ...next, conditionDueMs: next.conditionDueMs === null ? null : next.conditionDueMs + longerMs };
}

function watching(state: TriggerState, { before, after, nowMs, outages }: Edit): TriggerState {
  const { inactivity, repeat } = after;
  if (inactivity === null) return { ...state, inactiveSinceMs: null, dueAtMs: null };
  const { inactiveSinceMs, dueAtMs, inactivityEpisode } = state;
  if (inactiveSinceMs === null || dueAtMs === null)
    return { ...state, inactiveSinceMs: nowMs, dueAtMs: dueAt(nowMs, inactivity, outages) };
  const moved = dueAtMs + (inactivity - (before.inactivity ?? 0)) * 1000;
  if (inactivityEpisode === null) return { ...state, dueAtMs: moved };
  return { ...state, dueAtMs: Math.min(moved, inactiveSinceMs + (repeat || inactivity) * 1000) };
}

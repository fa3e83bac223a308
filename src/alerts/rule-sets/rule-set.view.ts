import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { type ComparedEpisodeView, toEpisodeView } from '../backtests/backtest.view';
import type { BacktestSummary } from '../backtests/backtest-outcome';
import type { Kind } from './read-rule-set';
import type { TriggerEffect } from './rule-effect';
import type { Action, PlannedChange } from './rule-plan';
import type { AppliedSet, ListedSet, RulePlan } from './rule-sets.service';
import type { TestResult } from './rule-tests';

/** A rule set, and how much it manages. */
export interface RuleSetView {
  /** @example "cold-store" */
  set: string;
  /**
   * @isInt
   * @example 2
   */
  notifications: number;
  /**
   * @isInt
   * @example 12
   */
  triggers: number;
  /**
   * @isInt
   * @example 1
   */
  mutes: number;
  /**
   * When it was last changed by being applied (unix seconds).
   * @example 1795229544.125
   */
  applied: number;
}

/** The response with a page of rule sets. */
export interface RuleSetsResponse extends PageTotal {
  rule_sets: RuleSetView[];
}

/** What a test expects, and what happens instead. */
export interface DifferenceView {
  /**
   * The line of the expectation in the document, from 1.
   * @isInt
   * @example 21
   */
  line: number;
  /**
   * @isInt
   * @example 24
   */
  column: number;
  /** @example "tests[0].expect[1].state" */
  path: string;
  /** @example "is pending, not firing" */
  error: string;
}

/** A test of a rule set, and its outcome. */
export interface RuleTestView {
  /** @example "an open door is reported after five minutes" */
  name: string;
  /** @example "too warm" */
  trigger: string;
  /** @example false */
  passed: boolean;
  /** Empty if it passed. */
  differences: DifferenceView[];
}

/** The response with the outcome of tests. */
export interface RuleTestsResponse {
  tests: RuleTestView[];
  /**
   * Names what the tried triggers depend on, which tests and effects leave out.
   * @example "dependencies are left out, so what they would hold counts as delivered: \"sensor offline\" → \"gateway offline\""
   */
  warning?: string;
}

/** Old and new value of each field that changes: lists of two. Names stand for other things. */
export interface ChangedFieldsView {
  [field: string]: unknown[];
}

/** What an entry of a rule set changes. */
export interface RuleChangeView {
  /** @example "trigger" */
  kind: Kind;
  /** @example "too warm" */
  name: string;
  /**
   * `delete` is what the set manages and no longer names; it needs `prune`.
   * @example "update"
   */
  action: Action;
  /**
   * `null` before it is created.
   * @example "5"
   */
  id: string | null;
  /**
   * Whether the set takes over a thing that it did not manage before.
   * @example false
   */
  adopted: boolean;
  /** @example {"hold": [0, 300]} */
  fields: ChangedFieldsView;
  /**
   * Fields that were changed elsewhere since the set was applied; `deleted` if the thing was deleted.
   * @example ["hold"]
   */
  drift: string[];
}

/** Numbers before and after a change: lists of two. `null` before a creation and after a deletion. */
export interface EffectNumbersView {
  /** @example [14, 3] */
  episodes: (number | null)[];
  /** @example [14, 3] */
  deliveries: (number | null)[];
  /**
   * Deliveries between 22 and 7.
   * @example [6, 1]
   */
  at_night: (number | null)[];
}

/** An open episode of a trigger. */
export interface OpenFiringView {
  /** @example "207" */
  firing_id: string;
  /**
   * Whether it stays open when the set is applied with `episodes` as `keep`.
   * @example true
   */
  stays: boolean;
}

/** What a changed trigger would have done on the stored data. */
export interface TriggerEffectView extends EffectNumbersView {
  /** @example "too warm" */
  trigger: string;
  /** Episodes that only the old rule has: at most 100. */
  vanish: ComparedEpisodeView[];
  /** Episodes that only the new rule has: at most 100. */
  appear: ComparedEpisodeView[];
  /**
   * @isInt
   * @example 11
   */
  vanish_count: number;
  /**
   * @isInt
   * @example 0
   */
  appear_count: number;
  /** Open episodes of the trigger: at most 100. */
  open: OpenFiringView[];
  /**
   * The number of its sensors before or after, and of those that were tried.
   * @isInt
   * @example 40
   */
  sensors: number;
  /**
   * @isInt
   * @example 40
   */
  tried_sensors: number;
  /**
   * Until when data was tried (unix seconds); `null` if none was.
   * @example 1795305600
   */
  until: number | null;
  /**
   * Why it was not tried, or not to the end; `""` if it was.
   * @example ""
   */
  note: string;
}

/** The effect of all changed triggers. */
export interface RuleEffectView extends EffectNumbersView {
  triggers: TriggerEffectView[];
}

/** What applying a rule set would change. */
export interface RulePlanView {
  /**
   * Applying takes it: it fails if the document, or anything that the plan read, has changed.
   * @example "5f0c9a1e3b7d4c2f8a6e1d0b9c8f7e6a5d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a"
   */
  digest: string;
  changes: RuleChangeView[];
  tests: RuleTestView[];
  /**
   * Names what the tried triggers depend on, which tests and effects leave out.
   * @example "dependencies are left out, so what they would hold counts as delivered: \"sensor offline\" → \"gateway offline\""
   */
  warning?: string;
  effect: RuleEffectView;
}

/** The response with a plan. */
export interface RulePlanResponse {
  plan: RulePlanView;
}

/** What applying a rule set changed. */
export interface AppliedRulesView {
  changes: RuleChangeView[];
  /**
   * The number of episodes of changed triggers that stay open.
   * @isInt
   * @example 1
   */
  kept: number;
  /**
   * The number of episodes that changed triggers ended.
   * @isInt
   * @example 0
   */
  ended: number;
}

/** The response to applying a rule set. */
export interface AppliedRulesResponse {
  applied: AppliedRulesView;
}

const MOST_LISTED = 100;

export function toRuleSetView({ name, counts, appliedMs }: ListedSet): RuleSetView {
  const { notification: notifications, trigger: triggers, mute: mutes } = counts;
  return { set: name, notifications, triggers, mutes, applied: toUnixSeconds(appliedMs) };
}

export function toTestView({ name, trigger, differences }: TestResult): RuleTestView {
  return { name, trigger, passed: differences.length === 0, differences };
}

export function toPlanView({ digest, effect, ...known }: RulePlan): RulePlanView {
  const triggers = effect.map(toEffectView);
  return { digest, ...toKnownView(known), effect: { ...sumOf(triggers), triggers } };
}

/** What is known of a plan before its effect. */
export function toKnownView({ changes, tests, warning }: Pick<RulePlan, 'changes' | 'tests' | 'warning'>) {
  return { changes: changes.map(toChangeView), tests: tests.map(toTestView), ...(warning && { warning }) };
}

/** The last line of a plan: its sum. */
export function toPlanEnd({ digest, effect }: RulePlan): EffectNumbersView & Pick<RulePlanView, 'digest'> {
  return { digest, ...sumOf(effect.map(toEffectView)) };
}

function sumOf(triggers: readonly EffectNumbersView[]): EffectNumbersView {
  const sum = (field: keyof EffectNumbersView) =>
    [0, 1].map((at) => triggers.reduce((total, one) => total + (one[field][at] ?? 0), 0));
  return { episodes: sum('episodes'), deliveries: sum('deliveries'), at_night: sum('at_night') };
}

export function toAppliedView({ changes, kept, ended }: AppliedSet): AppliedRulesView {
  return { changes: changes.map(toChangeView), kept, ended };
}

function toChangeView({ kind, name, action, id, isAdopted, fields, drift }: PlannedChange): RuleChangeView {
  return {
    kind,
    name,
    action,
    id: id === undefined ? null : String(id),
    adopted: isAdopted,
    fields,
    drift: [...drift],
  };
}

export function toEffectView(effect: TriggerEffect): TriggerEffectView {
  const { name, before, after, vanish, appear, open, sensors, untilMs, note } = effect;
  const both = (field: keyof BacktestSummary & ('episodes' | 'deliveries' | 'atNight')) =>
    [before, after].map((summary) => (summary ? summary[field] : null));
  return {
    trigger: name,
    ...{ episodes: both('episodes'), deliveries: both('deliveries'), at_night: both('atNight') },
    vanish: vanish.slice(0, MOST_LISTED).map(toEpisodeView),
    appear: appear.slice(0, MOST_LISTED).map(toEpisodeView),
    ...{ vanish_count: vanish.length, appear_count: appear.length },
    open: open.map(({ firingId, stays }) => ({ firing_id: String(firingId), stays })),
    ...{ sensors: sensors[1], tried_sensors: sensors[0] },
    ...{ until: toUnixSecondsOrNull(untilMs), note },
  };
}

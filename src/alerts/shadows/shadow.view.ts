import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import { fieldName, toFields } from '../../edge/renaming';
import type { Words } from '../../platform/words/words';
import {
  type BacktestComparisonView,
  type BacktestDeliveryView,
  type BacktestSummaryView,
  toComparisonView,
  toDeliveryView,
  toSummaryView,
} from '../backtests/backtest.view';
import { RULE_COLUMNS } from '../rules/trigger-rule';
import type { EditedTriggerResponse, RuleView } from '../triggers/trigger.view';
import type { ShadowReport } from './shadow-reports';

/** A changed rule that runs next to a trigger, and what it would have done so far. */
export interface ShadowView {
  /** @example "7" */
  trigger_id: string;
  /**
   * When it began, in unix seconds.
   * @example 1795229544.125
   */
  since: number;
  /**
   * When it ends by itself, in unix seconds.
   * @example 1795834344.125
   */
  until: number;
  /**
   * When it ended, in unix seconds; `null` while it runs.
   * @example null
   */
  ended: number | null;
  /**
   * The fields in which its rule differs from that of the trigger as it is now.
   * @example ["hold"]
   */
  changed: string[];
  trigger: RuleView;
  /**
   * The number of points that it has not tried because your computing time was used up.
   * @isInt
   * @example 0
   */
  untried: number;
  /**
   * Whether there were more than 10,000 firings: the report is about the first ones.
   * @example false
   */
  truncated: boolean;
  /**
   * The comparison in a sentence, in the language of the request.
   * @example "Alerts: 14, with this rule 3. Of those that it would not have brought, 11 ended within 2 minutes."
   */
  text: string;
  /** What the shadow would have done, in numbers. */
  summary: BacktestSummaryView;
  /** Who would have been notified by it, in order of time: at most 1,000. */
  deliveries: BacktestDeliveryView[];
  /** What the trigger has done in the same time, as a comparison of a backtest has it. */
  comparison: BacktestComparisonView;
  /** What a switch would do to open episodes at present, also to those that were open when the shadow began; `null` after its end. */
  on_switch: SwitchEffectView | null;
}

/** Numbers of open episodes. */
export interface SwitchEffectView {
  /**
   * Open in both: they go on.
   * @isInt
   * @example 1
   */
  kept: number;
  /**
   * Open in the trigger alone: they end.
   * @isInt
   * @example 0
   */
  ended: number;
  /**
   * Open in the shadow alone: they fire.
   * @isInt
   * @example 0
   */
  fires: number;
}

/** The response with a shadow. */
export interface ShadowResponse {
  shadow: ShadowView;
  /**
   * Names the trigger that this one depends on, which a shadow leaves out.
   * @example "dependencies are left out, so what they would hold counts as delivered: \"sensor offline\" → \"gateway offline\""
   */
  warning?: string;
}

/** The response with a trigger that has taken over the rule of its shadow. */
export interface SwitchedTriggerResponse extends EditedTriggerResponse {
  /**
   * The number of episodes that were open in the shadow alone: they fire within two seconds.
   * @isInt
   * @example 0
   */
  fires: number;
}

const SHORT_MS = 120_000;

export function toShadowView(report: ShadowReport, words: Words): ShadowView {
  const { trigger, shadow, summary, deliveries, comparison, untried, onSwitch, truncated } = report;
  return {
    trigger_id: String(trigger.id),
    since: toUnixSeconds(shadow.createdMs),
    until: toUnixSeconds(shadow.untilMs),
    ended: toUnixSecondsOrNull(shadow.endedMs),
    changed: RULE_COLUMNS.filter((column) => trigger[column] !== shadow[column]).map(fieldName),
    trigger: toFields(shadow, RULE_COLUMNS),
    ...{ untried, truncated, text: textOf(report, words) },
    summary: toSummaryView(summary),
    deliveries: deliveries.map(toDeliveryView),
    comparison: toComparisonView(comparison),
    on_switch: onSwitch,
  };
}

function textOf({ summary, comparison }: ShadowReport, words: Words): string {
  const live = comparison.summary.episodes;
  const counted = words.t('Alerts: {live}, with this rule {tried}.', { live, tried: summary.episodes });
  const short = comparison.onlyOther.filter(
    ({ beganMs, endedMs }) => endedMs !== null && endedMs - beganMs <= SHORT_MS,
  );
  if (short.length === 0) return counted;
  const vanish = words.t('Of those that it would not have brought, {count} ended within 2 minutes.', {
    count: short.length,
  });
  return `${counted} ${vanish}`;
}

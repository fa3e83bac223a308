import { toColumns } from '../../edge/renaming';
import { RULE_COLUMNS, ruleOf } from '../rules/trigger-rule';
import { requireFewX } from '../triggers/different-x';
import { readRule, requireText } from '../triggers/rule-input';
import type { AudienceInput } from './audience-reader';
import { type AudienceRequest, type BacktestRule, readAudienceInput } from './backtests.request';
import type { BacktestSubject } from './backtests.service';

type Trigger = NonNullable<AudienceInput['trigger']>;

/** Throws as `readAudienceInput`. */
export function subjectOfTrigger(body: AudienceRequest, trigger: Trigger): BacktestSubject {
  return { rule: ruleOf(trigger), audience: readAudienceInput(body, { trigger, content: trigger }) };
}

/** A rule, in place of the one of the trigger. Throws InvalidInput as well. */
export function subjectOf(body: AudienceRequest, given: BacktestRule, trigger?: Trigger): BacktestSubject {
  const rule = readRule(toColumns(given, RULE_COLUMNS));
  requireFewX(rule);
  const { name = trigger?.name ?? '', notify_resolved: notifyResolved = trigger?.notifyResolved ?? false } = given;
  const { resolved_text: resolvedText = trigger?.resolvedText ?? null } = given;
  requireText(resolvedText);
  const content = { name, notifyResolved, resolvedText, timezone: rule.timezone };
  return { rule, audience: readAudienceInput(body, { ...(trigger && { trigger }), content }) };
}

import { RuleSetItem } from '../storage/models/rule-set-item.model';

/** Warns if a rule set manages one of these. */
export async function withRuleSetWarning(
  other: string | undefined,
  kind: RuleSetItem['kind'],
  ...ids: number[]
): Promise<string | undefined> {
  const item = await RuleSetItem.findOne({ where: { kind, thingId: ids }, attributes: ['setName'] });
  if (!item) return other;
  const managed = `the rule set ${item.setName} manages this: its next plan shows the change as drift`;
  return other === undefined ? managed : `${other}; ${managed}`;
}

import { RuleSetItem } from '../storage/models/rule-set-item.model';

/** Warns the editor if a rule set manages one of these. */
export async function ruleSetWarning(kind: RuleSetItem['kind'], ...ids: number[]): Promise<string | undefined> {
  const item = await RuleSetItem.findOne({ where: { kind, thingId: ids }, attributes: ['setName'] });
  return item ? `the rule set ${item.setName} manages this: its next plan shows the change as drift` : undefined;
}

import { RuleSetItem } from '../storage/models/rule-set-item.model';

/** Warns the editor of what a rule set manages. */
export async function ruleSetWarning(kind: RuleSetItem['kind'], thingId: number): Promise<string | undefined> {
  const item = await RuleSetItem.findOne({ where: { kind, thingId }, attributes: ['setName'] });
  return item ? `the rule set ${item.setName} manages this: its next plan shows the change as drift` : undefined;
}

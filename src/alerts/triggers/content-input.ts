import type { Attributes } from 'sequelize';
import { DEFAULT_SEVERITY } from '../../edge/severity';
import type { Trigger } from '../../storage/models/trigger.model';
import { type Dependency, dependencyColumns } from '../rules/dependency';
import { DEFAULT_LATE } from '../rules/late';
import type { Selector } from '../rules/selector';
import { type RuleInput, readRule, requireText } from './rule-input';
import type { TriggerContent } from './trigger-versions';

export interface TriggerSettings
  extends Partial<Pick<Attributes<Trigger>, 'name' | 'notifyResolved' | 'resolvedText'>> {
  severity?: string | null;
  late?: string | null;
  selector?: Selector | null;
  dependsOn?: Dependency | null;
  /** No part of a version. */
  groupId?: number | null;
}

export type TriggerInput = RuleInput & TriggerSettings;

/** With defaults for what is not given. Throws InvalidInput. */
export function contentOf(input: TriggerInput & { name: string }): TriggerContent {
  const { name, notifyResolved = false, resolvedText = null, severity, late, selector, dependsOn = null } = input;
  requireText(resolvedText);
  const alert = { notifyResolved, resolvedText, severity: severity ?? DEFAULT_SEVERITY, late: late ?? DEFAULT_LATE };
  const others = { selector: selector ? JSON.stringify(selector) : null, ...dependencyColumns(dependsOn) };
  return { name, ...readRule(input), ...alert, ...others };
}

import { toColumns } from '../../edge/renaming';
import { RULE_COLUMNS } from '../rules/trigger-rule';
import type { RuleInput } from '../triggers/rule-input';
import type { RuleFields } from '../triggers/triggers.request';

/** The fields in which the rule differs from that of the trigger; others are as in the trigger. */
export interface ShadowRule extends RuleFields {
  /**
   * The shadow fires when this is true. At most 2,000 characters. `null` with an `inactivity` removes the expression.
   * @example "sensor_data_value > 32"
   */
  expression?: string | null;
  /**
   * How long it runs: 7 days by default.
   * @isInt
   * @minimum 1
   * @maximum 31
   * @example 7
   */
  days?: number;
}

/** Tries a changed rule next to a trigger. */
export interface CreateShadowRequest {
  shadow: ShadowRule;
}

const DAYS = 7;

export function readShadow({ shadow }: CreateShadowRequest): { rule: RuleInput; days: number } {
  const { days = DAYS } = shadow;
  return { rule: toColumns(shadow, RULE_COLUMNS), days };
}

import { textProblem } from '../../language/notification-text';
import { InvalidInput } from '../../platform/errors';
import { ruleProblem, type TriggerRule } from '../rules/trigger-rule';

/**
 * Null is the default. Undefined means not given, as do an inactivity of 0 with an expression and an expression of null
 * without an inactivity.
 */
export type RuleInput = { [Field in keyof TriggerRule]?: TriggerRule[Field] | null };

/** Throws InvalidInput. */
export function readRule(input: RuleInput): Required<TriggerRule> {
  const { expression = null, inactivity, hold, repeat = null, resolveExpression = null, keepFiringFor } = input;
  const rule = { expression, inactivity: inactivity || null, hold: hold ?? 0, repeat };
  const timezone = input.timezone ?? 'UTC';
  return accepted({ ...rule, resolveExpression, keepFiringFor: keepFiringFor ?? 0, timezone });
}

/** Throws InvalidInput. */
export function changedRule(before: Required<TriggerRule>, input: RuleInput, field = 'trigger'): Required<TriggerRule> {
  const { expression, inactivity, hold, repeat, resolveExpression, keepFiringFor, timezone } = input;
  const givenExpression = expression ?? undefined;
  const hasNoInactivity = inactivity === 0 && givenExpression === undefined;
  const hasNoExpression = expression === null && !!inactivity;
  if (hasNoInactivity && before.expression === null) {
    throw InvalidInput.field(`${field}.inactivity`, 'cannot be taken away by 0, as the trigger has no expression');
  }
  const rule = {
    expression: hasNoExpression ? null : (givenExpression ?? before.expression),
    inactivity: hasNoInactivity ? null : inactivity || before.inactivity,
    hold: hold ?? before.hold,
    repeat: changed(repeat, before.repeat),
    resolveExpression: changed(resolveExpression, before.resolveExpression),
    keepFiringFor: changed(keepFiringFor, before.keepFiringFor) ?? 0,
    timezone: changed(timezone, before.timezone) ?? 'UTC',
  };
  return accepted(rule, field);
}

/** `given` may be null. */
function changed<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given;
}

function accepted(rule: Required<TriggerRule>, field = 'trigger'): Required<TriggerRule> {
  const problem = ruleProblem(rule);
  if (problem) throw InvalidInput.field(`${field}.${problem.field}`, problem.why);
  return rule;
}

/** Throws InvalidInput. */
export function requireText(text: string | null | undefined): void {
  const problem = textProblem(text ?? '');
  if (problem) throw InvalidInput.field('trigger.resolved_text', problem);
}

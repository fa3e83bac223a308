import type { FindFilter } from '../../access/find-filter';
import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import type { Severity } from '../../edge/severity';
import type { Trigger } from '../../storage/models/trigger.model';
import { type Dependency, dependencyOf } from '../rules/dependency';
import type { LateHandling } from '../rules/late';
import { parseSelector, type Selector, selectsAll } from '../rules/selector';
import type { AboutTrigger } from './about-triggers';
import type { TriggerContent } from './trigger-versions';

/** The fields of a trigger that decide. */
export interface RuleView {
  /**
   * `null` if the trigger only has an inactivity.
   * @example "sensor_data_value > 30"
   */
  expression: string | null;
  /**
   * Seconds without data after which the trigger fires; `null` if it only has an expression.
   * @isInt
   * @example 3600
   */
  inactivity: number | null;
  /**
   * Seconds for which the expression must be true before it fires.
   * @isInt
   * @example 0
   */
  hold: number;
  /**
   * Seconds after which it fires again while an episode lasts; 0: not again; `null`: once a minute, or after each
   * inactivity.
   * @isInt
   * @example null
   */
  repeat: number | null;
  /**
   * The time zone of the functions of time in the expression.
   * @example "UTC"
   */
  timezone: string;
  /**
   * While it is not `null`, an episode of the expression ends only when this is true.
   * @example null
   */
  resolve_expression: string | null;
  /**
   * Seconds for which the condition must be over before an episode of the expression ends.
   * @isInt
   * @example 0
   */
  keep_firing_for: number;
}

/** The fields of a trigger that decide or deliver. */
export interface TriggerContentView extends RuleView {
  /** @example "too warm" */
  name: string;
  /**
   * Whether the end of an episode is delivered.
   * @example false
   */
  notify_resolved: boolean;
  /**
   * The text of that delivery; `""` for the default text.
   * @example ""
   */
  resolved_text: string;
  /** @example "warning" */
  severity: Severity;
  /** Selects the sensors that the trigger is connected to; `null` if it is only connected by hand. */
  selector: SelectorView | null;
  /** The trigger whose open episodes hold its deliveries; `null` without one. */
  depends_on: DependencyView | null;
}

/** The sensor of the other trigger: one with the same first value of this metatag. */
export interface DependencyLabelView {
  /** @example "gateway" */
  label: string;
}

/** What a trigger depends on. */
export interface DependencyView {
  /** @example "4" */
  trigger_id: string;
  /** @example "same" */
  sensor: 'same' | DependencyLabelView;
  /**
   * Seconds for which deliveries wait for the other trigger to fire.
   * @isInt
   * @example 0
   */
  wait: number;
}

/** What the records of a trigger and of a trigger on a sensor share. */
export interface TriggerFields extends TriggerContentView {
  /** @example "5" */
  id: string;
  /**
   * The number of your sensors that the selector matches; `null` without one.
   * @isInt
   * @example 12
   */
  selected_sensors: number | null;
  /**
   * Why some of these sensors are not connected; `""` if all are, or will be within ten seconds.
   * @example ""
   */
  selector_error: string;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  creation_date: number;
}

/** A rule that makes notifications go out. */
export interface TriggerView extends TriggerFields {
  /** @example "ignore" */
  late: LateHandling;
  /**
   * The group whose members with the right see its alerts; `null` for none.
   * @example null
   */
  group_id: string | null;
  /**
   * The number of its latest version: each change of its rule makes one.
   * @isInt
   * @example 1
   */
  version: number;
  /**
   * The number of its notifications, on all its sensors or on single ones, also disabled ones. 0: it fires and is
   * recorded, but nobody is notified.
   * @isInt
   * @example 2
   */
  notification_count: number;
  /**
   * Whether it has a shadow, or the report of one that has ended.
   * @example false
   */
  has_shadow: boolean;
}

/** Conditions on the metatags and properties of sensors. */
export interface SelectorView {
  filter: FindFilter;
  /**
   * Only `true`, if it selects all sensors of its owner.
   * @example true
   */
  all?: boolean;
  /** @example "default" */
  namespace: string;
}

/** The response with one trigger. */
export interface TriggerResponse {
  trigger: TriggerView;
  /**
   * Only if it cannot work: the expression reads a field that no connected sensor has, `resolved_text` or a
   * connected notification shows one, or the expression becomes false by itself although the end of its episodes is
   * delivered; otherwise after an edit, if a rule set manages it.
   * @example "no sensor that the trigger is connected to has the field \"lux\", so its expression cannot be evaluated there"
   */
  warning?: string;
}

/** The response with a trigger that was edited. */
export interface EditedTriggerResponse extends TriggerResponse {
  /**
   * The number of its episodes that stay open.
   * @isInt
   * @example 0
   */
  kept: number;
  /**
   * The number of its episodes that the edit ended.
   * @isInt
   * @example 0
   */
  ended: number;
}

/** The response with a page of triggers. */
export interface TriggersResponse extends PageTotal {
  triggers: TriggerView[];
}

export function toTriggerResponse(trigger: Trigger, about: AboutTrigger): TriggerResponse {
  return { trigger: toTriggerView(trigger, about), warning: about.warning };
}

export function toTriggerView(trigger: Trigger, { notificationCount, hasShadow }: AboutTrigger): TriggerView {
  const { version, groupId } = trigger;
  const group_id = groupId === null ? null : String(groupId);
  const about = { notification_count: notificationCount, has_shadow: hasShadow };
  return { ...toTriggerFields(trigger), late: lateOf(trigger), group_id, version, ...about };
}

export function lateOf({ late }: Pick<Trigger, 'late'>): LateHandling {
  return late as LateHandling; // the column holds nothing else
}

export function toTriggerFields(trigger: Trigger): TriggerFields {
  return {
    id: String(trigger.id),
    ...toTriggerContent(trigger),
    selected_sensors: trigger.selector === null ? null : trigger.selectedSensors,
    selector_error: trigger.selectorError ?? '',
    creation_date: toUnixSeconds(trigger.createdMs),
  };
}

export function toTriggerContent(trigger: TriggerContent): TriggerContentView {
  return {
    ...toFields(trigger, ['name', 'expression', 'inactivity', 'hold', 'repeat', 'timezone']),
    ...toFields(trigger, ['resolveExpression', 'keepFiringFor', 'notifyResolved']),
    resolved_text: trigger.resolvedText ?? '',
    severity: trigger.severity as Severity, // the column holds nothing else
    selector: trigger.selector === null ? null : toSelectorView(parseSelector(trigger.selector)),
    depends_on: toDependencyView(dependencyOf(trigger)),
  };
}

function toDependencyView(dependency: Dependency | null): DependencyView | null {
  if (dependency === null) return null;
  const { triggerId, label, waitS } = dependency;
  return { trigger_id: String(triggerId), sensor: label === null ? 'same' : { label }, wait: waitS };
}

export function toSelectorView(selector: Selector): SelectorView {
  return { ...selector, ...(selectsAll(selector) && { all: true }) };
}

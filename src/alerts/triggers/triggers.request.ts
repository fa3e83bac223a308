import type { FindFilter } from '../../access/find-filter';
import { readId } from '../../edge/id';
import { toColumns } from '../../edge/renaming';
import type { Severity } from '../../edge/severity';
import { InvalidInput } from '../../platform/errors';
import type { Dependency } from '../rules/dependency';
import type { LateHandling } from '../rules/late';
import type { EpisodesOnEdit } from '../rules/rule-change';
import { readSelector, type Selector } from '../rules/selector';
import { RULE_COLUMNS } from '../rules/trigger-rule';

/** Selects sensors by their metatags and properties, as `POST /sensors/find` does. */
export interface SelectorInput {
  /** Which sensors: at least one statement, and no empty list. */
  filter?: FindFilter;
  /**
   * `true`, instead of a filter, selects all your sensors.
   * @example false
   */
  all?: boolean;
  /**
   * The namespace of the metatags; `default` if not given.
   * @maxLength 255
   * @example "default"
   */
  namespace?: string;
}

/** The sensor on which the other trigger must have an open episode: the one with the same value of this metatag. */
export interface LabelInput {
  /**
   * The name of a metatag in the namespace `default`. Of several values the first one counts.
   * @minLength 1
   * @maxLength 32
   * @example "gateway"
   */
  label: string;
}

/** How deliveries wait for the alerts of another trigger. */
export interface DependencyOptions {
  /**
   * `same`, the default: on the same sensor.
   * @example "same"
   */
  sensor?: 'same' | LabelInput;
  /**
   * Seconds for which deliveries wait for the other trigger to fire; 0 by default. They always wait for 2 seconds.
   * @isInt
   * @minimum 0
   * @maximum 600
   * @example 60
   */
  wait?: number;
}

/** The trigger that another one depends on. */
export interface DependencyInput extends DependencyOptions {
  /**
   * The id of a trigger of yours.
   * @maxLength 20
   * @example "4"
   */
  trigger_id: string;
}

/** How long and how often a rule fires, besides its expression. */
export interface RuleFields {
  /**
   * Seconds without data after which the trigger fires: at least 60. 0 means none.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3600
   */
  inactivity?: number;
  /**
   * Seconds, from 0 to 86,400: the trigger fires only when the expression has been true for this time, by the dates of its
   * points or by the clock. A point for which it is false starts the time again. 0 by default.
   * @isInt
   * @minimum 0
   * @maximum 86400
   * @example 300
   */
  hold?: number;
  /**
   * How often it fires while an episode lasts. 0: not again; from 60 on: again after this many seconds; `null`, the
   * default: whenever the expression is true, once a minute, or after each further inactivity.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3600
   */
  repeat?: number | null;
  /**
   * While it is given, an episode of the expression ends only when this is true; `null`, the default: when the
   * expression is false. At most 2,000 characters.
   * @example "sensor_data_value < 28"
   */
  resolve_expression?: string | null;
  /**
   * Seconds, from 0 to 86,400: an episode of the expression ends only when its condition has been over for so long, by the
   * points and by the clock. 0, or `null`, by default.
   * @isInt
   * @minimum 0
   * @maximum 86400
   * @example 600
   */
  keep_firing_for?: number | null;
  /**
   * The time zone of `hour()` and the other functions of time in the expression, by its name in the IANA database; `null`, the default: UTC.
   * @maxLength 64
   * @example "Europe/Amsterdam"
   */
  timezone?: string | null;
}

interface DependencyField {
  /**
   * While the other trigger has an open episode, deliveries of this one are held: when that ends, what still fires goes
   * out; nobody is notified of what has ended meanwhile. At most 5 triggers in a row; a cycle is refused. `null`, the
   * default: no dependency.
   * @example null
   */
  depends_on?: DependencyInput | null;
}

interface GroupField {
  /**
   * The id of a group that you are a member of: its members who may see alerts see those of this trigger. `null`, the
   * default: only you do. When you leave the group, it becomes `null`.
   * @example null
   */
  group_id?: string | null;
}

/** The optional fields of a trigger, besides its expression. */
export interface TriggerSettings extends RuleFields {
  /**
   * Whether each connected notification gets a delivery when an episode ends.
   * @example true
   */
  notify_resolved?: boolean;
  /**
   * The text of that delivery, with the variables of the firing; `null`, the default: `<trigger> on <sensor>: resolved`.
   * @maxLength 10000
   * @example "{{sensor_name}} is well again"
   */
  resolved_text?: string | null;
  /**
   * How urgent its firings are for their readers; it changes nothing else. `null`, the default: `warning`.
   * @example "critical"
   */
  severity?: Severity | null;
  /**
   * What becomes of points that are older than the last evaluated one, which are not evaluated. `report`: once none has
   * come for 5 minutes, those of the last day are tried, and what would have fired is delivered once, as an alert that
   * is over. `null`, the default: `ignore`.
   * @example "report"
   */
  late?: LateHandling | null;
  /**
   * Connects the trigger to all your own sensors that match, now and later, within ten seconds of a change; at most
   * 10,000. `null` removes it and the connections that it made. Connections that you make by hand are not affected.
   */
  selector?: SelectorInput | null;
}

/** Fields of a new trigger, in requests and in rule sets. */
export interface NewTriggerFields extends TriggerSettings {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "too warm"
   */
  name: string;
  /**
   * The trigger fires when this is true. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
}

/** A new trigger: an expression, an inactivity, or both. */
export interface NewTrigger extends NewTriggerFields, DependencyField, GroupField {}

/** Creates a trigger. */
export interface CreateTriggerRequest {
  trigger: NewTrigger;
}

/** The fields of a trigger to change; others keep their values. */
export interface TriggerChanges extends TriggerSettings, DependencyField, GroupField {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "much too warm"
   */
  name?: string;
  /**
   * The trigger fires when this is true. At most 2,000 characters. `null` next to an `inactivity` of at least 60
   * removes the expression; otherwise it means not given, as an empty text always does.
   * @example "sensor_data_value > 35"
   */
  expression?: string | null;
  /**
   * Seconds without data after which the trigger fires: at least 60. 0 with an `expression` means not given; without one
   * it removes the inactivity of a trigger that has an expression.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 7200
   */
  inactivity?: number;
}

/** What an edit does to open episodes. */
export interface EditOptions {
  /**
   * What becomes of open episodes whose part of the rule changes. `end`, the default: they end. `keep`: they stay open
   * under their ids, and the next evaluation decides by the new rule; nothing is delivered because of the edit.
   * @example "keep"
   */
  episodes?: EpisodesOnEdit;
}

/** Changes a trigger. */
export interface UpdateTriggerRequest extends EditOptions {
  trigger: TriggerChanges;
}

/** Reads the given fields. A rule set names the other trigger in its own way. */
export function readTriggerInput(fields: Omit<TriggerChanges, 'depends_on' | 'group_id'>) {
  return {
    ...toColumns(fields, RULE_COLUMNS),
    ...toColumns(fields, ['name', 'notifyResolved', 'resolvedText', 'severity', 'late']),
    selector: fields.selector && readSelectorInput(fields.selector),
  };
}

/** Reads a whole request. */
export function readTriggerRequest(given: NewTrigger | TriggerChanges) {
  const { depends_on: dependsOn, group_id: groupId } = given;
  return {
    ...readTriggerInput(given),
    ...(groupId !== undefined && { groupId: groupId === null ? null : readId(groupId, 'group') }),
    ...(dependsOn !== undefined && {
      dependsOn: dependsOn && readDependency(dependsOn, readId(dependsOn.trigger_id, 'trigger')),
    }),
  };
}

export function readDependency({ sensor = 'same', wait = 0 }: DependencyOptions, triggerId: number): Dependency {
  return { triggerId, label: sensor === 'same' ? null : sensor.label, waitS: wait };
}

function readSelectorInput(given: SelectorInput): Selector {
  const read = readSelector(given, 'trigger.selector');
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return read.selector;
}

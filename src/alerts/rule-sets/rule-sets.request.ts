import type { Severity } from '../../edge/severity';
import type { ChannelType, NotificationChanges } from '../../notifications';
import type { GivenLabels } from '../backtests/backtests.request';
import type { NewMuteFields } from '../mutes/mutes.request';
import type { AlertState } from '../rules/trigger-state';
import type { DependencyOptions, NewTriggerFields } from '../triggers/triggers.request';

/** Which thing of the account an entry of a rule set is. */
interface EntryOfRuleSet {
  /**
   * Only to take over one of several things with the same name, or one without a name: its id. Its own name then stays.
   * @maxLength 20
   * @example "7"
   */
  id?: string;
}

/** A notification of a rule set. A field that is not given has its default. Values of headers and secrets are `…`. */
export interface RuleSetNotification extends NotificationChanges, EntryOfRuleSet {
  /**
   * Unique among the notifications of the set.
   * @minLength 1
   * @maxLength 100
   * @example "team"
   */
  name: string;
  /** @example "url" */
  type: ChannelType;
}

/** A notification that a trigger has on all its sensors. */
export interface RuleSetConnection {
  /**
   * The name of a notification of the set, or of another one of yours.
   * @maxLength 255
   * @example "team"
   */
  name: string;
  /**
   * Seconds of an episode after which it takes part; 0 by default.
   * @isInt
   * @minimum 0
   * @maximum 604800
   * @example 600
   */
  after?: number;
}

/** The trigger that another one depends on. */
export interface RuleSetDependency extends DependencyOptions {
  /**
   * The name of a trigger of the set, or the name or id of another one of yours.
   * @maxLength 255
   * @example "gateway offline"
   */
  trigger: string;
}

/** A trigger of a rule set. A field that is not given has its default. */
export interface RuleSetTrigger extends NewTriggerFields, EntryOfRuleSet {
  /**
   * Unique among the triggers of the set.
   * @minLength 1
   * @maxLength 255
   * @example "too warm"
   */
  name: string;
  /**
   * Names or ids of your sensors that it is connected to, in addition to those of its selector.
   * @maxItems 10000
   * @example ["freezer 1"]
   */
  sensors?: string[];
  /** @maxItems 20 */
  notifications?: RuleSetConnection[];
  /**
   * While the other trigger has an open episode, deliveries of this one are held.
   * @example null
   */
  depends_on?: RuleSetDependency | null;
}

/** A mute of a rule set. A field that is not given has its default. */
export interface RuleSetMute extends NewMuteFields, EntryOfRuleSet {
  /**
   * Unique among the mutes of the set.
   * @minLength 1
   * @maxLength 255
   * @example "quiet hours"
   */
  name: string;
  /**
   * Names or ids of the only sensors that are muted; all if the list is empty or absent.
   * @example ["freezer 1"]
   */
  sensors?: string[];
  /**
   * Names or ids of the only triggers that are muted; all if the list is empty or absent.
   * @example ["too warm"]
   */
  triggers?: string[];
}

/** A point that a test gives to the trigger. */
export interface RuleSetTestPoint {
  /**
   * A time of day such as `21:00`, seconds since midnight, or ISO 8601 with `Z` or an offset. Times of day are on Monday,
   * 1 January 2024; one before the time above it is on the next day.
   * @example "21:00"
   */
  at: number | string;
  /**
   * A number, a text, or a JSON value.
   * @example -13.5
   */
  value: unknown;
}

/** What must be true at a time. */
export interface RuleSetExpectation {
  /**
   * A time as of a point; after the points of this time.
   * @example "21:05"
   */
  at: number | string;
  /** @example "firing" */
  state?: AlertState;
  /**
   * Whether it fires exactly then, to the second.
   * @example true
   */
  fires?: boolean;
  /**
   * Whether an episode ends exactly then, to the second.
   * @example false
   */
  resolves?: boolean;
  /** @example "warning" */
  severity?: Severity;
  /**
   * The names of the notifications that get a delivery exactly then, to the second; an empty list for none.
   * @example ["team"]
   */
  notified?: string[];
}

/** When somebody acknowledges in a test. */
export interface RuleSetAcknowledgement {
  /**
   * A time as of a point; before the points of this time.
   * @example "21:10"
   */
  at: number | string;
}

/** A test of a trigger: points, and what follows from them. It begins with nothing stored. */
export interface RuleSetTest {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "an open door is reported after five minutes"
   */
  name: string;
  /**
   * The name of a trigger of the set.
   * @maxLength 255
   * @example "too warm"
   */
  trigger: string;
  /** At times that do not decrease. */
  points?: RuleSetTestPoint[];
  /** When somebody acknowledges the open alert, at times that do not decrease. Never by default. */
  acknowledged?: RuleSetAcknowledgement[];
  /**
   * Values for `label(…)`: the sensor of a test has no other labels.
   * @example {"limit": 8}
   */
  labels?: GivenLabels;
  /**
   * At times that do not decrease.
   * @minItems 1
   */
  expect: RuleSetExpectation[];
  /**
   * The time zone of times of day; that of the trigger by default.
   * @maxLength 64
   * @example "Europe/Amsterdam"
   */
  timezone?: string;
}

/**
 * Rules as text: one document of YAML 1.2 or JSON, of at most 500,000 bytes.
 * @example {"set": "cold-store", "triggers": [{"name": "too warm", "expression": "sensor_data_value > -15", "hold": 300}]}
 */
export interface RuleSetDocument {
  /**
   * The name of the set: letters, digits, `-` and `_`.
   * @pattern ^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$ must have 1 to 100 letters, digits, "-" and "_"
   * @example "cold-store"
   */
  set: string;
  notifications?: RuleSetNotification[];
  triggers?: RuleSetTrigger[];
  /** @maxItems 100 */
  mutes?: RuleSetMute[];
  /** @maxItems 500 */
  tests?: RuleSetTest[];
}

/** How a plan is made. */
export interface PlanQuery {
  /**
   * How many days of stored data show the effect of changed triggers; 0 for none. 7 by default.
   * @isInt
   * @minimum 0
   * @maximum 31
   * @example 7
   */
  days?: number;
}

/** Whether a failed test matters. */
export type FailedTests = 'require' | 'ignore';

/** How a rule set is applied. */
export interface ApplyQuery {
  /**
   * The digest of the plan.
   * @maxLength 64
   * @example "5f0c9a1e3b7d4c2f8a6e1d0b9c8f7e6a5d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a"
   */
  digest: string;
  /**
   * Whether what the set no longer names is deleted; otherwise it stays as it is.
   * @example true
   */
  prune?: boolean;
  /**
   * What becomes of open episodes whose part of the rule changes: `keep`, the default, or `end`.
   * @example "keep"
   */
  episodes?: 'keep' | 'end';
  /**
   * With `require`, the default, nothing is applied if a test fails; `ignore` applies it nonetheless.
   * @example "require"
   */
  tests?: FailedTests;
}

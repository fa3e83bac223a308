import type { DateInput } from '../../edge/dates';
import { readId } from '../../edge/id';
import type { SortDirection } from '../../edge/paging';
import { givenLabels } from '../../language/labels';
import { InvalidInput } from '../../platform/errors';
import { readDataQuery, readSensorIds } from '../../points';
import type { DependencyInput, RuleFields } from '../triggers/triggers.request';
import type { AudienceInput } from './audience-reader';

/** The stored data to use for a backtest. */
export interface BacktestRequest {
  /**
   * The sensors whose data is used: your own, and others that you can see.
   * @example ["42"]
   */
  sensor_ids?: string[];
  /**
   * More sensors, under the name that is used for a single one.
   * @example ["42"]
   */
  sensor_id?: string[];
  /**
   * Unix seconds: when the trigger counts as connected; the date of the first data point if not given.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the end, inclusive; now if it is later or not given.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795305600
   */
  end_date?: DateInput;
  /**
   * The order of the firings by date: `ASC`, which is the default, or `DESC`.
   * @example "ASC"
   */
  sort?: SortDirection;
  /**
   * Values for `label(…)` on all of the sensors, instead of their present metatags.
   * @example {"limit": 8}
   */
  labels?: GivenLabels;
}

/**
 * Values by the names of labels.
 * @example {"limit": 8}
 */
export interface GivenLabels {
  [label: string]: string | number | boolean;
}

/** A notification that would take part. */
export interface BacktestNotification {
  /** @example "7" */
  id: string;
  /**
   * Seconds of an episode after which it takes part.
   * @isInt
   * @minimum 0
   * @maximum 604800
   * @example 600
   */
  after?: number;
}

/** Who would be notified. */
export interface AudienceRequest {
  /**
   * Whether your mutes, as they are now, hold back deliveries: `true` by default for a saved trigger, otherwise `false`.
   * @example true
   */
  mutes?: boolean;
  /**
   * Your notifications that take part: by default those of the saved trigger, and none for a rule.
   * @maxItems 20
   */
  notifications?: BacktestNotification[];
  /**
   * When somebody acknowledges: `never`, the default; `as_recorded`, when alerts of the saved trigger were acknowledged; or
   * seconds after the first delivery of an episode.
   * @example "as_recorded"
   */
  acknowledge?: 'never' | 'as_recorded' | number;
  /**
   * Another rule to compare with: the id of one of your triggers, or a rule. What a rule leaves out of its name and its end
   * is as in the trigger; its audience is the same.
   * @example { "expression": "sensor_data_value > 32", "repeat": 0 }
   */
  compare?: string | BacktestRule;
}

/** A rule to backtest without saving it. */
export interface BacktestRule extends RuleFields {
  /**
   * The name of the rule in the texts of deliveries.
   * @maxLength 255
   * @example "too warm"
   */
  name?: string;
  /**
   * Whether the end of an episode is delivered.
   * @example true
   */
  notify_resolved?: boolean;
  /**
   * The text of that delivery.
   * @maxLength 10000
   * @example "{{sensor_name}} is well again"
   */
  resolved_text?: string | null;
  /**
   * What a trigger of this rule would depend on. A backtest leaves it out, and names it in the `warning`.
   * @example null
   */
  depends_on?: DependencyInput | null;
  /**
   * The trigger fires when this is true. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
}

/** A rule to backtest, and the stored data to use. */
export interface RuleBacktestRequest extends BacktestRequest, AudienceRequest {
  trigger: BacktestRule;
}

/** The stored data to use for a backtest of a saved trigger, and who would be notified. */
export interface TriggerBacktestRequest extends BacktestRequest, AudienceRequest {}

/** Throws InvalidInput or NotFound. */
export function readAudienceInput(
  { mutes, notifications, acknowledge = 'never' }: AudienceRequest,
  about: Pick<AudienceInput, 'trigger' | 'content'>,
): AudienceInput {
  if (
    typeof acknowledge === 'number' &&
    !(Number.isInteger(acknowledge) && acknowledge >= 0 && acknowledge <= MAX_WAIT_S)
  ) {
    throw InvalidInput.field('acknowledge', `must be never, as_recorded, or whole seconds from 0 to ${MAX_WAIT_S}`);
  }
  const given = notifications?.map(({ id, after = 0 }) => ({ id: readId(id, `notification ${id}`), afterS: after }));
  const ids = new Set(given?.map(({ id }) => id));
  if (given && ids.size < given.length) throw InvalidInput.field('notifications', 'must not name a notification twice');
  return {
    ...about,
    withMutes: mutes ?? about.trigger !== undefined,
    ...(given && { notifications: given }),
    acknowledge,
  };
}

const MAX_WAIT_S = 604_800;

/** Reads the data of a backtest, times in ms. */
export function readBacktestScope(request: BacktestRequest) {
  const { sensor_ids = [], sensor_id = [], start_date, end_date, sort, labels } = request;
  const { startMs, endMs, descending } = readDataQuery({ start_date, end_date, sort });
  // 0 is an absent date.
  const range = { startMs: startMs || undefined, endMs, descending };
  return {
    sensorIds: readSensorIds([...sensor_ids, ...sensor_id]),
    ...range,
    ...(labels && { labels: givenLabels(labels) }),
  };
}

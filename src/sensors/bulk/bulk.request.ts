import { type FindFilter, readFindFilter, SAY_ALL, selectionProblem } from '../../access/find-filter';
import { type DateInput, readDate } from '../../edge/dates';
import { readId } from '../../edge/id';
import type { PresentState } from '../../edge/present-filter';
import { InvalidInput } from '../../platform/errors';
import { type MetatagsInput, readMetatagsOf, readPresent } from '../metatags/metatags.request';
import type { BulkAction, BulkSelection } from './bulk-action';

/** Connects a trigger. */
export interface BulkConnectTrigger {
  /**
   * @maxLength 20
   * @example "5"
   */
  id: string;
  /**
   * The ids of the notifications that the trigger has on these sensors from now on: others are disconnected. Without
   * this list, its notifications do not change.
   * @maxItems 20
   * @example ["7"]
   */
  notifications?: string[];
}

/** Names a trigger, a group or an environment. */
export interface BulkThing {
  /**
   * @maxLength 20
   * @example "5"
   */
  id: string;
}

/** Names a user by id, by username, or by both. */
export interface BulkUser {
  /**
   * @maxLength 20
   * @example "2"
   */
  id?: string;
  /**
   * @maxLength 255
   * @example "grace"
   */
  username?: string;
}

/** Metatags to set: the given names get the given values, others stay. */
export interface BulkMetatags {
  /**
   * `default` if not given.
   * @maxLength 255
   * @example "default"
   */
  namespace?: string;
  /** @example {"floor": [2]} */
  metatags: MetatagsInput;
}

/** One mute for all of these sensors, from now on. */
export interface BulkMute {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "maintenance"
   */
  name?: string;
  /**
   * Unix seconds: when the mute ends.
   * @example 1795236744
   */
  end: DateInput;
}

/** Deletes the sensors with their data. It has no fields. */
export interface BulkDelete {
  [field: string]: unknown;
}

/** The action on each sensor: exactly one of these. */
export interface BulkActions {
  connect_trigger?: BulkConnectTrigger;
  disconnect_trigger?: BulkThing;
  share?: BulkUser;
  unshare?: BulkThing;
  add_to_group?: BulkThing;
  add_to_environment?: BulkThing;
  set_metatags?: BulkMetatags;
  mute?: BulkMute;
  delete?: BulkDelete;
}

/** One action on many sensors, which are named by their ids, by a filter, or as all of them. Unknown keys are refused. */
export interface BulkRequest {
  /**
   * The ids of the sensors.
   * @minItems 1
   * @maxItems 500
   * @example ["1", "2"]
   */
  sensors?: string[];
  /** Your sensors that `POST /sensors/find` finds by this filter, at most 500. It has at least one statement. */
  filter?: FindFilter;
  /**
   * `true`, instead of `sensors` or `filter`, names all your sensors, if they are at most 500; with `state` or
   * `silent_for` only those that are so.
   * @example false
   */
  all?: boolean;
  /**
   * With `filter` or `all`: only sensors in this state, as `POST /sensors/find` finds them; `null`: in any.
   * @example null
   */
  state?: PresentState | null;
  /**
   * With `filter` or `all`: only sensors without a stored point in so many seconds; `null`: all.
   * @minimum 1
   * @maximum 315576000
   * @example null
   */
  silent_for?: number | null;
  /**
   * The namespace of the metatags in the filter; `default` if not given.
   * @maxLength 255
   * @example "default"
   */
  namespace?: string;
  /** @example {"connect_trigger": {"id": "5", "notifications": ["7"]}} */
  action: BulkActions;
}

/** InvalidInput unless the request names its sensors in exactly one way. */
export function readSelection(request: BulkRequest): BulkSelection {
  const { sensors, filter, all, namespace = 'default' } = request;
  const state = request.state ?? undefined;
  const idleS = request.silent_for ?? undefined;
  if (sensors) {
    const others = Object.entries({
      filter,
      all: all || undefined,
      state,
      silent_for: idleS,
    });
    const [also] = others.find(([, value]) => value !== undefined) ?? [];
    if (also) throw InvalidInput.field(also, 'must not be given together with sensors');
    return { ids: sensors };
  }
  if (!filter && !all) throw InvalidInput.field('sensors', `is required without filter; ${SAY_ALL}`);
  const problem = selectionProblem({ filter, all }, '');
  if (problem) throw InvalidInput.field(problem.path, problem.why);
  const read = readFindFilter(filter ?? {}, 'filter');
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return { filter: read.filter, namespace, present: readPresent({ state, silent_for: idleS }) };
}

type Readers = { [Kind in keyof Required<BulkActions>]: (given: NonNullable<BulkActions[Kind]>) => BulkAction };

const READERS: Readers = {
  connect_trigger: ({ id, notifications }) => {
    const notificationIds = notifications?.map((one) => readId(one, `notification ${one}`));
    return { kind: 'connect_trigger', triggerId: readId(id, 'trigger'), notificationIds };
  },
  disconnect_trigger: ({ id }) => ({ kind: 'disconnect_trigger', triggerId: readId(id, 'trigger') }),
  share: (reference) => ({ kind: 'share', reference }),
  unshare: ({ id }) => ({ kind: 'unshare', readerId: readId(id, 'user') }),
  add_to_group: ({ id }) => ({ kind: 'add_to_group', groupId: readId(id, 'group') }),
  add_to_environment: ({ id }) => ({ kind: 'add_to_environment', environmentId: readId(id, 'environment') }),
  set_metatags: ({ namespace = 'default', metatags }) => ({
    kind: 'set_metatags',
    namespace,
    metatags: readMetatagsOf({ metatags }),
  }),
  mute: ({ name = 'mute', end }) => ({ kind: 'mute', name, endMs: readDate(end, 'action.mute.end') }),
  delete: () => ({ kind: 'delete' }),
};

/** The action of a request. InvalidInput unless it names exactly one. */
export function readAction(actions: BulkActions): BulkAction {
  const given = Object.entries(actions).filter(([, value]) => value !== undefined);
  const [[kind = '', value] = [], ...others] = given;
  if (others.length > 0 || !Object.hasOwn(READERS, kind)) {
    throw InvalidInput.field('action', `must be exactly one of ${Object.keys(READERS).join(', ')}`);
  }
  return (READERS[kind as keyof Readers] as (given: unknown) => BulkAction)(value); // validated by the type of the request
}

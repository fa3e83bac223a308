import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { fieldName } from '../../edge/renaming';
import { DEPENDENCY_COLUMNS } from '../rules/dependency';
import type { LateHandling } from '../rules/late';
import { lateOf, type TriggerContentView, toTriggerContent } from './trigger.view';
import type { StoredVersion } from './trigger-versions';

/** A trigger as it was after a change of its rule. */
export interface VersionedTriggerView extends TriggerContentView {
  /** @example "ignore" */
  late: LateHandling;
}

/** A version of a trigger. */
export interface TriggerVersionView {
  /**
   * From 1; the greatest is the present one.
   * @isInt
   * @example 2
   */
  version: number;
  /**
   * When the change was made, in unix seconds.
   * @example 1795229544.8
   */
  date: number;
  /**
   * Who made the change.
   * @example "1"
   */
  user_id: string;
  /**
   * `session`, or the name of the key or application that made the change; `""` for a trigger from before versions were kept.
   * @example "session"
   */
  by: string;
  /**
   * The fields that the change changed; none in the first version.
   * @example ["expression", "hold"]
   */
  changed: string[];
  trigger: VersionedTriggerView;
}

/** The response with a page of versions of a trigger. */
export interface TriggerVersionsResponse extends PageTotal {
  versions: TriggerVersionView[];
}

export function toTriggerVersionView({
  version,
  createdMs,
  userId,
  changedBy,
  changed,
  content,
}: StoredVersion): TriggerVersionView {
  return {
    version,
    date: toUnixSeconds(createdMs),
    user_id: String(userId),
    by: changedBy,
    changed: [...new Set(changed.map(fieldOf))],
    trigger: { ...toTriggerContent(content), late: lateOf(content) },
  };
}

function fieldOf(column: string): string {
  const isOfDependency = DEPENDENCY_COLUMNS.some((one) => one === column);
  return isOfDependency ? 'depends_on' : fieldName(column);
}

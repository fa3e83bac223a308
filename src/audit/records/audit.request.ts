import type { ZonedCsvQuery } from '../../edge/csv-query';
import { type DateInput, readDate } from '../../edge/dates';
import { readGivenId } from '../../edge/id';
import type { PageQuery, SortDirection } from '../../edge/paging';
import type { AuditFilter } from './audit-log';

/** Whose history: that of the account, or of a group. */
export interface AuditOwnerQuery {
  /**
   * The history of this group, in which you need the right `edit_group`. Without it, that of your account.
   * @example "9"
   */
  group_id?: string;
}

/** The filters of the history. */
export interface AuditQuery extends AuditOwnerQuery, PageQuery, ZonedCsvQuery {
  /**
   * Only this operation, by its name in the API.
   * @maxLength 64
   * @example "updateTrigger"
   */
  action?: string;
  /**
   * Only what this user did.
   * @example "3"
   */
  user_id?: string;
  /**
   * Only records about this kind of thing.
   * @maxLength 32
   * @example "trigger"
   */
  subject_kind?: string;
  /**
   * Only records about the thing with this id; with `subject_kind`.
   * @example "5"
   */
  subject_id?: string;
  /**
   * Only attempts that were refused (`true`), or only what was done (`false`).
   * @example false
   */
  refused?: boolean;
  /**
   * `DESC` lists the newest first, which is the default, `ASC` the oldest.
   * @example "DESC"
   */
  sort?: SortDirection;
  /**
   * Unix seconds: the earliest record, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the latest record, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
}

const NOT_AN_ID = 'must be an id';

/** Throws InvalidInput for a malformed id. */
export function readAuditFilter({
  start_date,
  end_date,
  action,
  subject_kind,
  refused,
  ...ids
}: AuditQuery): AuditFilter {
  return {
    groupId: readGroupId(ids),
    startMs: start_date ? readDate(start_date, 'start_date') : undefined,
    endMs: end_date ? readDate(end_date, 'end_date') : undefined,
    who: readGivenId(ids.user_id, 'user_id', NOT_AN_ID),
    subjectKind: subject_kind,
    subjectId: readGivenId(ids.subject_id, 'subject_id', NOT_AN_ID),
    ...{ action, refused },
  };
}

export function readGroupId({ group_id }: AuditOwnerQuery): number | undefined {
  return readGivenId(group_id, 'group_id', NOT_AN_ID);
}

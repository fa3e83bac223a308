import { seesNot } from '../../access/alert-access';
import type { ZonedCsvQuery } from '../../edge/csv-query';
import { type DateInput, LAST_DATE_MS, readDate } from '../../edge/dates';
import { parseId, readGivenId } from '../../edge/id';
import type { PageQuery, SortDirection } from '../../edge/paging';
import type { Severity } from '../../edge/severity';

/** The order of a list of firings. */
export interface FiringListQuery extends PageQuery {
  /**
   * `ASC` lists the oldest first, `DESC` the newest.
   * @example "DESC"
   */
  sort?: SortDirection;
}

/** The filters of a list of firings. */
export interface FiringsQuery extends FiringListQuery, ZonedCsvQuery {
  /**
   * Only firings whose episode lasts (`firing`), or has ended (`resolved`).
   * @example "firing"
   */
  state?: 'firing' | 'resolved';
  /**
   * Only firings whose episode was acknowledged (`true`), or was not (`false`).
   * @example false
   */
  acknowledged?: boolean;
  /**
   * Only firings on this sensor.
   * @example "42"
   */
  sensor_id?: string;
  /**
   * Only firings of this trigger.
   * @example "5"
   */
  trigger_id?: string;
  /**
   * Only firings of triggers that are shown to this group, yours as well.
   * @example "3"
   */
  group_id?: string;
  /**
   * Only firings of triggers that have this severity now.
   * @example "warning"
   */
  severity?: Severity;
  /**
   * `false` leaves out repeats: each alert has one firing in the list, the first one.
   * @example false
   */
  repeats?: boolean;
  /**
   * Only firings whose trigger or sensor has this text in its name, in any letter case.
   * @maxLength 255
   * @example "freezer"
   */
  search?: string;
  /**
   * Unix seconds: the earliest firing, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the latest firing, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
}

/** The acknowledgement of a firing. */
export interface AcknowledgeRequest {
  /**
   * A note for readers of the record. Only who acknowledged the firing changes it later.
   * @maxLength 1000
   * @example "the window is open, I am on my way"
   */
  note?: string;
}

/** The assignment of a firing. */
export interface AssignRequest {
  /**
   * The id of a user who sees the alert, and whose name you know; `null` for nobody.
   * @example "2"
   */
  user_id: string | null;
}

export function readAssigned({ user_id }: AssignRequest): number | null {
  const id = user_id === null ? null : parseId(user_id);
  if (user_id !== null && id === null) throw seesNot();
  return id;
}

/** Reads the filter of a list of firings, times in ms. An id that the user may not know matches nothing. */
export function readFiringFilter({ sensor_id, trigger_id, group_id, start_date, end_date, ...given }: FiringsQuery) {
  const { state, acknowledged, severity, search, repeats } = given;
  return {
    ...{ state, acknowledged, severity, search, repeats },
    sensorId: idOf(sensor_id, 'sensor'),
    triggerId: idOf(trigger_id, 'trigger'),
    groupId: idOf(group_id, 'group'),
    startMs: start_date ? readDate(start_date, 'start_date') : 0,
    endMs: end_date ? readDate(end_date, 'end_date') : LAST_DATE_MS,
  };
}

function idOf(text: string | undefined, what: 'sensor' | 'trigger' | 'group'): number | undefined {
  return readGivenId(text, `${what}_id`, `must be the id of a ${what}`);
}

import { InvalidInput } from '../../platform/errors';
import { parseId } from '../../rules/id';
import { type DateInput, readDate } from '../formats/dates';
import type { PageQuery, SortDirection } from '../formats/paging';

/** The filters of a list of deliveries. */
export interface DeliveryListQuery extends PageQuery {
  /**
   * Only deliveries with this status.
   * @example "pending"
   */
  status?: 'pending' | 'delivered' | 'failed';
  /**
   * Only deliveries of this notification.
   * @example "7"
   */
  notification_id?: string;
  /**
   * `ASC` lists the oldest first, `DESC` the newest.
   * @example "DESC"
   */
  sort?: SortDirection;
  /**
   * Unix seconds: the earliest creation, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the latest creation, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
}

/**
 * Reads the filter of a list of deliveries, times in ms. A malformed id is an error; the id of another user's
 * notification matches nothing.
 */
export function readDeliveryFilter({ status, notification_id, start_date, end_date }: DeliveryListQuery) {
  const startMs = start_date ? readDate(start_date, 'start_date') : undefined;
  const endMs = end_date ? readDate(end_date, 'end_date') : undefined;
  if (notification_id === undefined) return { status, startMs, endMs };
  const notificationId = parseId(notification_id);
  if (notificationId === null) throw InvalidInput.field('notification_id', 'must be the id of a notification');
  return { status, startMs, endMs, notificationId };
}

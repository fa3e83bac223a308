import type { ZonedCsvQuery } from '../../edge/csv-query';
import { type DateInput, readDate } from '../../edge/dates';
import { readGivenId } from '../../edge/id';
import type { PageQuery, SortDirection } from '../../edge/paging';

/** The filters of a list of deliveries. */
export interface DeliveryListQuery extends PageQuery, ZonedCsvQuery {
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
   * Only deliveries about this sensor.
   * @example "42"
   */
  sensor_id?: string;
  /**
   * Only deliveries about this trigger.
   * @example "5"
   */
  trigger_id?: string;
  /**
   * Only the deliveries that this digest holds.
   * @example "312"
   */
  digest_id?: string;
  /**
   * Only deliveries that were aggregated into a digest (`true`), or that were not (`false`).
   * @example false
   */
  aggregated?: boolean;
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
 * notification, sensor, trigger or digest matches nothing.
 */
export function readDeliveryFilter({ status, aggregated, start_date, end_date, ...ids }: DeliveryListQuery) {
  return {
    status,
    aggregated,
    startMs: start_date ? readDate(start_date, 'start_date') : undefined,
    endMs: end_date ? readDate(end_date, 'end_date') : undefined,
    notificationId: idOf(ids, 'notification'),
    sensorId: idOf(ids, 'sensor'),
    triggerId: idOf(ids, 'trigger'),
    digestId: idOf(ids, 'digest'),
  };
}

type Named = 'notification' | 'sensor' | 'trigger' | 'digest';

function idOf(ids: Partial<Record<`${Named}_id`, string>>, what: Named): number | undefined {
  return readGivenId(ids[`${what}_id`], `${what}_id`, `must be the id of a ${what}`);
}

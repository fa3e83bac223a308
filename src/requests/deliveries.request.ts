import { parseId } from '../domain/id';
import { InvalidInput } from '../errors';
import type { PageQuery } from './paging';

/** The filters of a list of deliveries. */
export interface DeliveryListQuery extends PageQuery {
  /**
   * Only those with this status.
   * @example "pending"
   */
  status?: 'pending' | 'delivered' | 'failed';
  /**
   * Only those of this notification.
   * @example "7"
   */
  notification_id?: string;
}

/** Which deliveries are wanted. What is no id is a mistake; the id of nothing of the caller's narrows the list to nothing. */
export function readDeliveryFilter({ status, notification_id }: DeliveryListQuery) {
  if (notification_id === undefined) return { status };
  const notificationId = parseId(notification_id);
  if (notificationId === null) throw InvalidInput.field('notification_id', 'must be the id of a notification');
  return { status, notificationId };
}

import type { PageQuery } from './paging';

/** Which firings to list. */
export interface FiringListQuery extends PageQuery {
  /**
   * `ASC` lists the oldest first, `DESC` the newest.
   * @example "DESC"
   */
  sort?: 'ASC' | 'DESC';
}

/** Which deliveries to list. */
export interface DeliveryListQuery extends PageQuery {
  /**
   * Only those that wait, that arrived, or that were given up.
   * @example "pending"
   */
  status?: 'pending' | 'delivered' | 'failed';
  /**
   * Only those of this notification.
   * @example "7"
   */
  notification_id?: string;
}

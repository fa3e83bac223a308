import type { PageQuery } from './paging';

/** Which firings to list. */
export interface FiringListQuery extends PageQuery {
  /** `ASC` lists the oldest first, `DESC` the newest. */
  sort?: 'ASC' | 'DESC';
}

/** Which deliveries to list. */
export interface DeliveryListQuery extends PageQuery {
  status?: 'pending' | 'delivered' | 'failed';
  /** Only those of this notification. */
  notification_id?: string;
}

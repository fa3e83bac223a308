import type { PageQuery } from './paging';

/** Which deliveries to list. */
export interface DeliveryListQuery extends PageQuery {
  status?: 'pending' | 'delivered' | 'failed';
  /** Only those of this notification. */
  notification_id?: string;
}

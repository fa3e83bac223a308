import type { Records } from '../../api';
import { nameOf } from '../../destination';
import { useNotifications } from '../notifications/load';

type Delivery = Pick<Records['DeliveryView'], 'notification_id' | 'type' | 'destination'>;

/** What people call the destination of a delivery: its notification, or its address if the notification has another one now. */
export function useDestinations(): (delivery: Delivery) => string {
  const list = useNotifications().data ?? [];
  return (delivery) => {
    const found = list.find(({ id }) => id === delivery.notification_id);
    return nameOf(found && (found.name || found.destination === delivery.destination) ? found : delivery);
  };
}

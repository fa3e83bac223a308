import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import type { DeliveryRow } from './attempt';

/** What has to be read of a delivery to ring for it. */
export const WAKE_UP_COLUMNS = 'id, attempts, priority, event';

export type WakeUpRow = Pick<DeliveryRow, 'id' | 'attempts' | 'priority' | 'event'>;

/** The ring for the next attempt of a delivery. */
export function wakeUpOf({ id, attempts, priority, event }: WakeUpRow): DeliveryWakeUp {
  return { deliveryId: id, attempts, priority, cause: event === null ? 'trigger' : 'event' };
}

/**
 * What is neither of a trigger nor of an event was asked for: a try-out, or a mail to the owner about the notification
 * itself. These go out although it is switched off.
 */
export function wasAskedFor({ event, trigger_id }: Pick<DeliveryRow, 'event' | 'trigger_id'>): boolean {
  return event === null && trigger_id === null;
}

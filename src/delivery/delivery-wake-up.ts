import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import type { DeliveryRow } from './attempt';

/** The columns that a wake-up is made from. */
export const WAKE_UP_COLUMNS = 'id, owner_id, receiver, attempts, priority, event';

export type WakeUpRow = Pick<DeliveryRow, 'id' | 'owner_id' | 'receiver' | 'attempts' | 'priority' | 'event'>;

/** The wake-up for the next attempt of a delivery. */
export function wakeUpOf({ id, owner_id, receiver, attempts, priority, event }: WakeUpRow): DeliveryWakeUp {
  const cause = event === null ? 'trigger' : 'event';
  return { deliveryId: id, ownerId: owner_id, receiver, attempts, priority, cause };
}

/**
 * Whether a delivery is sent although its notification is switched off: one without a trigger or event, which is a test
 * or a notice to the owner about the notification itself, unless it is a digest.
 */
export function isSentWhileOff({
  event,
  trigger_id,
  digest_minute_ms,
}: Pick<DeliveryRow, 'event' | 'trigger_id' | 'digest_minute_ms'>): boolean {
  return event === null && trigger_id === null && digest_minute_ms === null;
}

import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { DeliveryRow } from './attempt';

/** The columns that a nudge needs. */
export const NUDGE_COLUMNS = 'id, owner_id, receiver, attempts, priority, event';

export type NudgeRow = Pick<DeliveryRow, 'id' | 'owner_id' | 'receiver' | 'attempts' | 'priority' | 'event'>;

export function nudgeOf({ id, owner_id, receiver, attempts, priority, event }: NudgeRow): DeliveryNudge {
  const cause = event === null ? 'trigger' : 'event';
  return { deliveryId: id, ownerId: owner_id, receiver, attempts, priority, cause };
}

/**
 * True if a delivery is sent although its notification is disabled. This holds for deliveries without a trigger or
 * event, except digests: tests, and notices to the owner about the notification itself.
 */
export function isSentWhileOff({
  event,
  trigger_id,
  digest_minute_ms,
}: Pick<DeliveryRow, 'event' | 'trigger_id' | 'digest_minute_ms'>): boolean {
  return event === null && trigger_id === null && digest_minute_ms === null;
}

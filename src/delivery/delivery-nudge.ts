import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { DeliveryRow } from './attempt';

/** The columns that a nudge is made from. */
export const NUDGE_COLUMNS = 'id, owner_id, receiver, attempts, priority, event';

export type NudgeRow = Pick<DeliveryRow, 'id' | 'owner_id' | 'receiver' | 'attempts' | 'priority' | 'event'>;

/** The nudge for the next attempt of a delivery. */
export function nudgeOf({ id, owner_id, receiver, attempts, priority, event }: NudgeRow): DeliveryNudge {
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

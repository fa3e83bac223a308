import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { ConnectedNotification } from '../delivery/connected-notifications';
import { NUDGE_COLUMNS, type NudgeRow, nudgeOf } from '../delivery/delivery-nudge';
import { issueDeliveries, type NewDelivery } from '../delivery/delivery-rows';
import { namesOf, renderText, roomOfEach } from '../rules/notification-text';
import { partsOf } from '../rules/parts-of';
import type { Fired } from './firing-rows';

/** Number of texts in memory at the same time. Each may have 64 KB and more. */
const TEXTS_AT_ONCE = 500;

/** Writes a pending delivery for each firing and each of its notifications. Returns the nudges. */
export async function writeFiringDeliveries(
  connection: PoolConnection,
  fired: readonly Fired[],
  { firingIds, notifications }: { firingIds: ReadonlyMap<number, number>; notifications: ConnectedNotification[] },
  { nowMs, evaluatedMs, queuedMs }: { nowMs: number; evaluatedMs: number; queuedMs: number },
): Promise<DeliveryNudge[]> {
  if (notifications.length === 0) return [];
  const textsOf = countByOwner(notifications);
  const firedBy = new Map(fired.map((entry) => [entry.firing.sensorTriggerId, entry]));
  let inserted: Promise<unknown> | undefined;
  for (const some of partsOf(notifications, TEXTS_AT_ONCE)) {
    await inserted;
    const deliveries = some.flatMap((notification): NewDelivery[] => {
      const entry = firedBy.get(notification.sensorTriggerId);
      if (!entry) return [];
      const { firing, sensor } = entry;
      return [
        {
          ownerId: notification.ownerId,
          notificationId: notification.id,
          type: notification.type,
          destination: notification.destination,
          text: renderText(
            notification.text,
            { ...firing.variables, ...namesOf(sensor, firing) },
            roomOfEach(textsOf.get(firing.ownerId) ?? 1),
          ),
          firingId: Number(firingIds.get(firing.sensorTriggerId)),
          sensorId: sensor.id,
          triggerId: firing.triggerId,
          nextAttemptMs: nowMs,
          receivedMs: firing.point?.receivedMs ?? null,
          storedMs: firing.point?.storedMs ?? null,
          evaluatedMs,
          createdMs: queuedMs,
        },
      ];
    });
    inserted = issueDeliveries(connection, deliveries);
  }
  const reading = connection.query<(RowDataPacket & NudgeRow)[]>(
    `SELECT ${NUDGE_COLUMNS} FROM deliveries WHERE firing_id IN (?) ORDER BY id`,
    [fired.map(({ firing }) => Number(firingIds.get(firing.sensorTriggerId)))],
  );
  const [[written]] = await Promise.all([reading, inserted]);
  return written.map(nudgeOf);
}

function countByOwner(notifications: readonly ConnectedNotification[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ownerId } of notifications) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}

import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import { insertDeliveries, type NewDelivery } from '../deliveries/delivery-rows';
import { renderText, roomOfEach } from '../domain/notification-text';
import type { Fired } from './firing-rows';

/** Each may have 64 KB and more; all of them need not be there at the same time. */
const TEXTS_AT_ONCE = 500;

/** Writes a pending delivery of each firing for every connected notification. Returns their wake-ups. */
export async function writeFiringDeliveries(
  connection: PoolConnection,
  fired: readonly Fired[],
  firingIds: ReadonlyMap<number, number>,
  { nowMs, evaluatedMs, queuedMs }: { nowMs: number; evaluatedMs: number; queuedMs: number },
): Promise<DeliveryWakeUp[]> {
  const [notifications] = await connection.query<RowDataPacket[]>(
    `SELECT stn.sensor_trigger_id AS sensorTriggerId, n.id, n.owner_id AS ownerId, n.type, n.destination, n.text
     FROM sensor_trigger_notifications stn JOIN notifications n ON n.id = stn.notification_id
     WHERE stn.sensor_trigger_id IN (?) AND n.enabled ORDER BY stn.sensor_trigger_id, n.id`,
    [fired.map(({ firing }) => firing.sensorTriggerId)],
  );
  if (notifications.length === 0) return [];
  const textsOf = countByOwner(notifications);
  const firedBy = new Map(fired.map((entry) => [entry.firing.sensorTriggerId, entry]));
  for (let start = 0; start < notifications.length; start += TEXTS_AT_ONCE) {
    const deliveries = notifications.slice(start, start + TEXTS_AT_ONCE).flatMap((notification): NewDelivery[] => {
      const entry = firedBy.get(Number(notification.sensorTriggerId));
      if (!entry) return [];
      const { firing, sensor } = entry;
      return [
        {
          ownerId: notification.ownerId,
          notificationId: notification.id,
          type: notification.type,
          destination: notification.destination,
          text: renderText(String(notification.text), textValues(entry), roomOfEach(textsOf.get(firing.ownerId) ?? 1)),
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
    await insertDeliveries(connection, deliveries);
  }
  const [written] = await connection.query<RowDataPacket[]>(
    'SELECT id, owner_id AS ownerId, priority FROM deliveries WHERE firing_id IN (?) ORDER BY id',
    [fired.map(({ firing }) => Number(firingIds.get(firing.sensorTriggerId)))],
  );
  return written.map((row) => ({
    deliveryId: Number(row.id),
    ownerId: Number(row.ownerId),
    attempts: 0,
    priority: Number(row.priority),
    cause: 'trigger' as const,
  }));
}

function countByOwner(notifications: readonly RowDataPacket[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ownerId } of notifications) counts.set(Number(ownerId), (counts.get(Number(ownerId)) ?? 0) + 1);
  return counts;
}

function textValues({ firing, sensor }: Fired) {
  return {
    ...firing.variables,
    sensor_id: sensor.id,
    sensor_name: sensor.name,
    trigger_id: firing.triggerId,
    trigger_name: firing.triggerName,
  };
}

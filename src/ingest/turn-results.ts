import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import type { SensorChanges, SensorFiring } from '../actors/sensor.actor';
import type { Clock } from '../clock';
import { slices } from '../database/slices';
import { runOn } from '../database/transaction';
import { insertDeliveries, type NewDelivery } from '../deliveries/delivery-rows';
import { renderText, roomOfEach } from '../domain/notification-text';
import { type NewEvent, raiseEvents } from '../events/event-rows';
import { type Arrival, noteArrivals } from '../streams/arrivals';
import { findTopics } from '../streams/topics';
import { writeStates } from './state-rows';

/** What one sensor's actor decided in a turn. */
export interface SensorResult {
  sensor: { id: number; name: string };
  changes: SensorChanges;
}

/** Each may have 64 KB and more; all of them need not be there at the same time. */
const TEXTS_AT_ONCE = 500;

/** A firing, and its sensor. */
interface Fired {
  firing: SensorFiring;
  sensor: { id: number; name: string };
}

/**
 * Writes what a turn decided: states, firings, a pending delivery per connected notification, and the
 * events of the firings. The turn decided as of `nowMs`; the clock shows how long that took. Returns the wake-ups of the
 * deliveries and how many events wait.
 */
export async function writeResults(
  connection: PoolConnection,
  results: SensorResult[],
  nowMs: number,
  clock: Clock,
): Promise<{ wakeUps: DeliveryWakeUp[]; events: number; isStreamed: boolean }> {
  const evaluatedMs = clock.now();
  await writeStates(
    connection,
    results.flatMap(({ sensor, changes }) => changes.states.map((change) => ({ ...change, sensorId: sensor.id }))),
  );
  const fired = results.flatMap(({ sensor, changes }) => changes.firings.map((firing) => ({ firing, sensor })));
  if (fired.length === 0) return { wakeUps: [], events: 0, isStreamed: false };
  const firingIds = await writeFirings(connection, fired, nowMs);
  const isStreamed = await noteFirings(connection, fired, firingIds, nowMs);
  const wakeUps = await writeDeliveries(connection, fired, firingIds, { nowMs, evaluatedMs, queuedMs: clock.now() });
  return { wakeUps, events: await raiseEvents(runOn(connection), fired.map(toEvent), nowMs), isStreamed };
}

function toEvent({ firing, sensor }: Fired): NewEvent {
  return { name: 'fire_trigger', subjectId: firing.triggerId, sourceId: sensor.id, userId: firing.ownerId };
}

/** Returns the firing's id per sensor trigger; a sensor trigger fires once in a turn at most. */
async function writeFirings(connection: PoolConnection, fired: Fired[], nowMs: number): Promise<Map<number, number>> {
  const values = fired.map(({ firing, sensor }) => [
    firing.ownerId,
    sensor.id,
    firing.triggerId,
    firing.sensorTriggerId,
    firing.reason,
    nowMs,
    JSON.stringify(firing.variables),
  ]);
  for (const slice of slices(values)) {
    await connection.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables) VALUES ?`,
      [slice],
    );
  }
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT id, sensor_trigger_id AS sensorTriggerId FROM firings WHERE sensor_trigger_id IN (?) AND fired_ms = ?',
    [fired.map(({ firing }) => firing.sensorTriggerId), nowMs],
  );
  return new Map(rows.map((row) => [Number(row.sensorTriggerId), Number(row.id)]));
}

/** For streams of firings; whether there are any. */
async function noteFirings(
  connection: PoolConnection,
  fired: readonly Fired[],
  firingIds: ReadonlyMap<number, number>,
  nowMs: number,
): Promise<boolean> {
  const owners = await findTopics(connection, 'firings', [...new Set(fired.map(({ firing }) => firing.ownerId))]);
  const arrivals = [...owners].map((ownerId): Arrival => {
    const own = fired.filter(({ firing }) => firing.ownerId === ownerId);
    const items = own.flatMap(({ firing }) => firingIds.get(firing.sensorTriggerId) ?? []);
    return { kind: 'firings', thingId: ownerId, items };
  });
  if (arrivals.length > 0) await noteArrivals(connection, arrivals, nowMs);
  return arrivals.length > 0;
}

async function writeDeliveries(
  connection: PoolConnection,
  fired: Fired[],
  firingIds: Map<number, number>,
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
    [[...firingIds.values()]],
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

import type { PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { namesOf, renderText, roomOfEach } from '../../language/notification-text';
import {
  type ConnectedNotification,
  issueDeliveries,
  type NewDelivery,
  type PacedTexts,
  readNudgesOfFirings,
} from '../../notifications';
import { partsOf } from '../../platform/parts-of';
import { type LabelsOfTexts, readLabelsOfTexts } from '../../storage/labels';
import { runOn } from '../../storage/transaction';
import { deliveryTimeMs } from '../rules/delivery-plan';
import type { Dependents } from './dependent-firings';
import type { Fired, WrittenFiring } from './firing-rows';

interface WrittenFirings {
  written: ReadonlyMap<number, WrittenFiring>;
  notifications: ConnectedNotification[];
  dependents: Dependents;
}

/** A text may have 64 KB and more. */
const TEXTS_AT_ONCE = 500;

/**
 * Writes a pending delivery for each firing and notification. The returned nudges lack deliveries that wait for `after`
 * or the end of a mute: the reconciler starts these.
 */
export async function writeFiringDeliveries(
  connection: PoolConnection,
  fired: readonly Fired[],
  { written, notifications, dependents }: WrittenFirings,
  { evaluatedMs, queuedMs, texts }: { evaluatedMs: number; queuedMs: number; texts: PacedTexts },
): Promise<DeliveryNudge[]> {
  if (notifications.length === 0) return [];
  const textsOf = countByOwner(notifications);
  const firedBy = new Map(fired.map((entry) => [entry.firing.sensorTriggerId, entry]));
  const sensorIds = fired.map(({ sensor }) => sensor.id);
  const labelsOf = await readLabelsOfTexts(
    runOn(connection),
    sensorIds,
    notifications.map(({ text }) => text),
  );
  let inserted: Promise<unknown> | undefined;
  for (const some of partsOf(notifications, TEXTS_AT_ONCE)) {
    await inserted;
    const deliveries: NewDelivery[] = [];
    for (const notification of some) {
      const entry = firedBy.get(notification.sensorTriggerId);
      const ids = written.get(notification.sensorTriggerId);
      if (!entry || !ids) continue;
      const room = roomOfEach(textsOf.get(entry.firing.ownerId) ?? 1);
      const writing = { evaluatedMs, queuedMs, room, texts, labelsOf, dependents };
      const delivery = deliveryOf(entry, ids, notification, writing);
      if (delivery) deliveries.push(delivery);
      if (texts.isPauseDue) await texts.pause();
    }
    inserted = issueDeliveries(connection, deliveries);
  }
  const ids = fired.map(({ firing }) => Number(written.get(firing.sensorTriggerId)?.id));
  const [nudges] = await Promise.all([readNudgesOfFirings(connection, ids), inserted]);
  return nudges;
}

interface Writing {
  evaluatedMs: number;
  queuedMs: number;
  room: number;
  texts: PacedTexts;
  labelsOf: LabelsOfTexts;
  dependents: Dependents;
}

/** Undefined if the notification gets no delivery. */
function deliveryOf(
  fired: Fired,
  written: WrittenFiring,
  notification: ConnectedNotification,
  { evaluatedMs, queuedMs, room, texts, labelsOf, dependents }: Writing,
): NewDelivery | undefined {
  const { firing, sensor, isFirst } = fired;
  const { id, firstId, isDeferred } = written;
  const { firedMs, episodeMs, deferredUntilMs } = firing;
  const known = { firedMs, episodeMs, isFirst, isDeferred, deferredUntilMs };
  const plannedMs = deliveryTimeMs(known, notification.afterS);
  if (plannedMs === undefined || dependents.isWaiting(written, notification.id)) return undefined;
  const waitMs = dependents.waitMs(fired, written);
  const nextAttemptMs = Math.max(plannedMs, waitMs ?? plannedMs);
  const waits = nextAttemptMs > firedMs;
  const labels = labelsOf(sensor.id, firing.variables.labels);
  const values = { ...firing.variables, ...namesOf(sensor, firing), labels };
  return {
    ownerId: notification.ownerId,
    notificationId: notification.id,
    kind: 'firing',
    type: notification.type,
    destination: notification.destination,
    text: texts.render(notification.ownerId, values, () => renderText(notification.text, values, room)),
    // What waits is found by the first firing when the episode ends, if that has no delivery yet.
    firingId: waits && isFirst && !isDeferred ? firstId : id,
    critical: notification.severity === 'critical',
    escalation: waits,
    afterMute: firing.isMuted || waitMs !== null,
    sensorId: sensor.id,
    triggerId: firing.triggerId,
    nextAttemptMs,
    receivedMs: firing.point?.receivedMs ?? null,
    storedMs: firing.point?.storedMs ?? null,
    evaluatedMs,
    createdMs: queuedMs,
  };
}

function countByOwner(notifications: readonly ConnectedNotification[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { ownerId } of notifications) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}

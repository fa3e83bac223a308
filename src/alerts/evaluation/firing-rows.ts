import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { UsedLabels } from '../../language/labels';
import { type NamedSensor, namesOf, renderText, roomOfEach } from '../../language/notification-text';
import {
  type ConnectedNotification,
  HAS_WAITING,
  IS_DEFERRED,
  issueDeliveries,
  type NewDelivery,
  type PacedTexts,
  readNudgesOfFirings,
} from '../../notifications';
import { partsOf } from '../../platform/parts-of';
import { readLabelsOfTexts } from '../../storage/labels';
import { issueSlices, slices } from '../../storage/slices';
import { runOn } from '../../storage/transaction';
import { deliveryTimeMs } from '../rules/delivery-plan';
import type { EpisodeEnd, SensorFiring } from '../rules/sensor-state';

export interface Fired {
  firing: SensorFiring;
  sensor: NamedSensor;
  /** True if no earlier firing of the episode was delivered. */
  isFirst: boolean;
}

/** `firstId`: the first firing of the episode. */
export interface WrittenFiring {
  id: number;
  firstId: number;
  /** The first firing was muted, and has deliveries nonetheless. */
  isDeferred: boolean;
}

export interface Ended {
  end: EpisodeEnd;
  sensor: NamedSensor;
  /** Null if it is not delivered. */
  deliverAtMs: number | null;
}

/** A firing is a separate condition, so that every server uses the index. */
const FIRINGS_PER_LOOKUP = 500;

/** Returns ids by sensor trigger, which fires at most once per pass. */
export async function writeFirings(
  connection: PoolConnection,
  fired: readonly Fired[],
  nowMs: number,
): Promise<Map<number, WrittenFiring>> {
  const repeats = fired.filter(({ firing }) => firing.episodeMs !== firing.firedMs);
  const keys = repeats.map(({ firing }) => keyOf(firing, firing.episodeMs));
  // Usually there are no repeats: nothing is awaited, and all statements are pipelined with those of the caller.
  const episodeIds = keys.length === 0 ? new Map<string, FoundFiring>() : await findFirings(connection, keys);
  const firstOf = new Map(
    repeats.map(({ firing }) => [firing.sensorTriggerId, episodeIds.get(keyOf(firing, firing.episodeMs))]),
  );
  const values = fired.map(({ firing, sensor }) => [
    firing.ownerId,
    sensor.id,
    firing.triggerId,
    firing.triggerVersion,
    firing.sensorTriggerId,
    firing.reason,
    nowMs,
    JSON.stringify(firing.variables),
    firing.isMuted,
    firstOf.get(firing.sensorTriggerId)?.id ?? null,
    firing.episodeMs === firing.firedMs,
    firing.hold ?? 0,
  ]);
  const inserted = issueSlices(values, (slice) =>
    connection.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, trigger_version, sensor_trigger_id, reason, fired_ms, variables,
         muted, episode_id, is_lasting, hold_s) VALUES ?`,
      [slice],
    ),
  );
  const reading = connection.query<RowDataPacket[]>(
    'SELECT id, sensor_trigger_id AS sensorTriggerId FROM firings WHERE sensor_trigger_id IN (?) AND fired_ms = ?',
    [fired.map(({ firing }) => firing.sensorTriggerId), nowMs],
  );
  const [[rows]] = await Promise.all([reading, inserted]);
  return new Map(
    rows.map((row) => {
      const [sensorTriggerId, id] = [Number(row.sensorTriggerId), Number(row.id)];
      const first = firstOf.get(sensorTriggerId);
      return [sensorTriggerId, { id, firstId: first?.id ?? id, isDeferred: first?.isDeferred ?? false }];
    }),
  );
}

/** Writes ends into the rows of first firings. Returns these in the same order. */
export async function writeEnds(
  connection: PoolConnection,
  ended: readonly Ended[],
  nowMs: number,
): Promise<(FoundFiring | undefined)[]> {
  const found = await findFirings(
    connection,
    ended.map(({ end }) => keyOf(end, end.episode.beganMs)),
  );
  const firings = ended.map(({ end }) => found.get(keyOf(end, end.episode.beganMs)));
  const rows = ended.flatMap(({ end, sensor }, index) => {
    const id = firings[index]?.id;
    if (id === undefined) return [];
    const { ownerId, triggerId, sensorTriggerId, cause, episode, point } = end;
    const known = [id, ownerId, sensor.id, triggerId, sensorTriggerId, cause, episode.beganMs, ''];
    return [[...known, false, nowMs, 'data', point?.value ?? null, point?.dateMs ?? null]];
  });
  for (const slice of slices(rows)) {
    // The rows exist and are locked, so this statement only updates.
    await connection.query(
      `INSERT INTO firings (id, owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables,
         is_lasting, ended_ms, resolved_by, end_value, end_date_ms) VALUES ?
       ON DUPLICATE KEY UPDATE is_lasting = VALUES(is_lasting), ended_ms = VALUES(ended_ms),
         resolved_by = VALUES(resolved_by), end_value = VALUES(end_value), end_date_ms = VALUES(end_date_ms)`,
      [slice],
    );
  }
  return firings;
}

function keyOf({ sensorTriggerId }: { sensorTriggerId: number }, firedMs: number): string {
  return `${sensorTriggerId} ${firedMs}`;
}

interface FoundFiring {
  id: number;
  hasWaiting: boolean;
  /** Muted, and has deliveries nonetheless: they wait for the end of the mute, or were sent then. */
  isDeferred: boolean;
}

async function findFirings(connection: PoolConnection, keys: readonly string[]): Promise<Map<string, FoundFiring>> {
  const found = new Map<string, FoundFiring>();
  for (const part of partsOf(keys, FIRINGS_PER_LOOKUP)) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT f.id, f.sensor_trigger_id AS sensorTriggerId, f.fired_ms AS firedMs, ${HAS_WAITING} AS hasWaiting,
         ${IS_DEFERRED} AS isDeferred FROM firings f
       WHERE ${part.map(() => '(f.sensor_trigger_id = ? AND f.fired_ms = ?)').join(' OR ')} FOR UPDATE`,
      part.flatMap((key) => key.split(' ').map(Number)),
    );
    for (const { id, sensorTriggerId, firedMs, hasWaiting, isDeferred } of rows) {
      found.set(keyOf({ sensorTriggerId }, firedMs), {
        id: Number(id),
        hasWaiting: Boolean(hasWaiting),
        isDeferred: Boolean(isDeferred),
      });
    }
  }
  return found;
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
  { written, notifications }: { written: ReadonlyMap<number, WrittenFiring>; notifications: ConnectedNotification[] },
  { evaluatedMs, queuedMs, texts }: { evaluatedMs: number; queuedMs: number; texts: PacedTexts },
): Promise<DeliveryNudge[]> {
  if (notifications.length === 0) return [];
  const textsOf = countByOwner(notifications);
  const firedBy = new Map(fired.map((entry) => [entry.firing.sensorTriggerId, entry]));
  const sensorIds = fired.map(({ sensor }) => sensor.id);
  const labels = await readLabelsOfTexts(
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
      const shown = { ...labels.get(entry.sensor.id), ...entry.firing.variables.labels };
      const delivery = deliveryOf(entry, ids, notification, { evaluatedMs, queuedMs, room, texts, labels: shown });
      if (delivery) deliveries.push(delivery);
      if (texts.isPauseDue) await texts.pause();
    }
    inserted = issueDeliveries(connection, deliveries);
  }
  const ids = fired.map(({ firing }) => Number(written.get(firing.sensorTriggerId)?.id));
  const [nudges] = await Promise.all([readNudgesOfFirings(connection, ids), inserted]);
  return nudges;
}

interface DeliverySetting {
  evaluatedMs: number;
  queuedMs: number;
  room: number;
  texts: PacedTexts;
  labels: UsedLabels;
}

/** Undefined if the notification gets no delivery. */
function deliveryOf(
  { firing, sensor, isFirst }: Fired,
  { id, firstId, isDeferred }: WrittenFiring,
  notification: ConnectedNotification,
  { evaluatedMs, queuedMs, room, texts, labels }: DeliverySetting,
): NewDelivery | undefined {
  const { firedMs, episodeMs, deferredUntilMs } = firing;
  const known = { firedMs, episodeMs, isFirst, isDeferred, deferredUntilMs };
  const nextAttemptMs = deliveryTimeMs(known, notification.afterS);
  if (nextAttemptMs === undefined) return undefined;
  const waits = nextAttemptMs > firedMs;
  const values = { ...firing.variables, ...namesOf(sensor, firing), labels };
  return {
    ownerId: notification.ownerId,
    notificationId: notification.id,
    kind: 'firing',
    type: notification.type,
    destination: notification.destination,
    text: texts.render(notification.ownerId, values, () => renderText(notification.text, values, room)),
    // What waits is found by the first firing when the episode ends.
    firingId: waits ? firstId : id,
    critical: notification.severity === 'critical',
    escalation: waits,
    afterMute: firing.isMuted,
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

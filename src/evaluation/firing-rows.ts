import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import {
  type ConnectedNotification,
  issueDeliveries,
  type NewDelivery,
  NUDGE_COLUMNS,
  type NudgeRow,
  nudgeOf,
} from '../delivery/delivery-rows';
import { namesOf, renderText, roomOfEach } from '../rules/notification-text';
import { partsOf } from '../rules/parts-of';
import type { EpisodeEnd, SensorFiring } from '../rules/sensor-state';
import { issueSlices, slices } from '../storage/slices';

export interface Fired {
  firing: SensorFiring;
  sensor: { id: number; name: string };
}

export interface Ended {
  end: EpisodeEnd;
  sensor: { id: number; name: string };
}

/** Firings per lookup. Each is a separate condition, so that every server uses the index. */
const FIRINGS_PER_LOOKUP = 500;

/** Writes firings. Returns the id of each by its sensor trigger, which fires at most once per pass. */
export async function writeFirings(
  connection: PoolConnection,
  fired: readonly Fired[],
  nowMs: number,
): Promise<Map<number, number>> {
  const repeats = fired.filter(({ firing }) => firing.episodeMs !== firing.firedMs);
  const keys = repeats.map(({ firing }) => keyOf(firing, firing.episodeMs));
  // Usually there are no repeats, and nothing is awaited here: all statements are pipelined with those of the caller.
  const episodeIds = keys.length === 0 ? new Map<string, number>() : await findFirings(connection, keys);
  const values = fired.map(({ firing, sensor }) => [
    firing.ownerId,
    sensor.id,
    firing.triggerId,
    firing.sensorTriggerId,
    firing.reason,
    nowMs,
    JSON.stringify(firing.variables),
    firing.isMuted,
    episodeIds.get(keyOf(firing, firing.episodeMs)) ?? null,
    firing.episodeMs === firing.firedMs,
  ]);
  const inserted = issueSlices(values, (slice) =>
    connection.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables, muted, episode_id,
         is_lasting) VALUES ?`,
      [slice],
    ),
  );
  const reading = connection.query<RowDataPacket[]>(
    'SELECT id, sensor_trigger_id AS sensorTriggerId FROM firings WHERE sensor_trigger_id IN (?) AND fired_ms = ?',
    [fired.map(({ firing }) => firing.sensorTriggerId), nowMs],
  );
  const [[rows]] = await Promise.all([reading, inserted]);
  return new Map(rows.map((row) => [Number(row.sensorTriggerId), Number(row.id)]));
}

/** Records the end of episodes in the rows of their first firings. Returns the ids of these rows in the same order. */
export async function writeEnds(
  connection: PoolConnection,
  ended: readonly Ended[],
  nowMs: number,
): Promise<(number | undefined)[]> {
  const ids = await findFirings(
    connection,
    ended.map(({ end }) => keyOf(end, end.episode.beganMs)),
  );
  const firingIds = ended.map(({ end }) => ids.get(keyOf(end, end.episode.beganMs)));
  const rows = ended.flatMap(({ end, sensor }, index) => {
    const id = firingIds[index];
    if (id === undefined) return [];
    const { ownerId, triggerId, sensorTriggerId, cause, episode, point } = end;
    const known = [id, ownerId, sensor.id, triggerId, sensorTriggerId, cause, episode.beganMs, ''];
    return [[...known, false, nowMs, 'data', point?.value ?? null, point?.dateMs ?? null]];
  });
  for (const slice of slices(rows)) {
    // The rows exist and are locked, so this statement only ever updates.
    await connection.query(
      `INSERT INTO firings (id, owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables,
         is_lasting, ended_ms, resolved_by, end_value, end_date_ms) VALUES ?
       ON DUPLICATE KEY UPDATE is_lasting = VALUES(is_lasting), ended_ms = VALUES(ended_ms),
         resolved_by = VALUES(resolved_by), end_value = VALUES(end_value), end_date_ms = VALUES(end_date_ms)`,
      [slice],
    );
  }
  return firingIds;
}

/** Identifies a firing: its sensor trigger and `fired_ms`, as one text. */
function keyOf({ sensorTriggerId }: { sensorTriggerId: number }, firedMs: number): string {
  return `${sensorTriggerId} ${firedMs}`;
}

/** The ids of firings by their keys. Locks their rows. */
async function findFirings(connection: PoolConnection, keys: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const part of partsOf(keys, FIRINGS_PER_LOOKUP)) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT id, sensor_trigger_id AS sensorTriggerId, fired_ms AS firedMs FROM firings
       WHERE ${part.map(() => '(sensor_trigger_id = ? AND fired_ms = ?)').join(' OR ')} FOR UPDATE`,
      part.flatMap((key) => key.split(' ').map(Number)),
    );
    for (const row of rows) ids.set(keyOf({ sensorTriggerId: row.sensorTriggerId }, row.firedMs), Number(row.id));
  }
  return ids;
}

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

import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';

/** Never leased: a worker that died with a lease may have sent the delivery. */
export const IS_WAITING = "escalation AND status = 'pending' AND attempts = 0 AND lease IS NULL AND digest_id IS NULL";

/** Leaves out deliveries that wait for an episode. */
export const MAY_COME_EARLY = '(escalation = FALSE OR attempts > 0)';

/** True if deliveries of the first firing `f` wait for the end of a mute, or were sent then. */
export const IS_DEFERRED =
  "(f.muted AND EXISTS (SELECT 1 FROM deliveries d WHERE d.firing_id = f.id AND d.kind = 'firing'))";

export const HAS_WAITING = `EXISTS (SELECT 1 FROM deliveries d WHERE d.firing_id = f.id AND d.escalation AND d.status = 'pending')`;

/**
 * Requires the transaction that ends or acknowledges the episodes. A lease at that moment waits for it, or was first
 * and is kept. `notificationIds` limits the deliveries.
 */
export async function cancelEscalations(
  run: RunSql,
  firingIds: readonly number[],
  notificationIds?: readonly number[],
): Promise<void> {
  if (firingIds.length === 0 || notificationIds?.length === 0) return;
  const [only, ids] = notificationIds === undefined ? ['', []] : [' AND notification_id IN (?)', [notificationIds]];
  await run(`DELETE FROM deliveries WHERE firing_id IN (?)${only} AND ${IS_WAITING}`, [firingIds, ...ids]);
}

/** Does the same for further firings of episodes that another trigger holds, by their first firings. */
export async function cancelHeldRepeats(
  run: RunSql,
  firstIds: readonly number[],
  notificationIds?: readonly number[],
): Promise<void> {
  if (firstIds.length === 0) return;
  const waiting = await readWaitingFirings(run, 'e.id IN (?) AND e.held_by IS NOT NULL', firstIds);
  await cancelEscalations(run, [...new Set(waiting.map(({ firingId }) => firingId))], notificationIds);
}

/** Does both. */
export async function cancelWaiting(
  run: RunSql,
  firstIds: readonly number[],
  notificationIds?: readonly number[],
): Promise<void> {
  await cancelEscalations(run, firstIds, notificationIds);
  await cancelHeldRepeats(run, firstIds, notificationIds);
}

export interface WaitingFiring {
  deliveryId: number;
  notificationId: number;
  firingId: number;
  /** The first firing of its episode. */
  firstId: number;
}

/** Waiting deliveries of firings. The condition selects episodes by their first firings `e`. */
export async function readWaitingFirings(
  run: RunSql,
  condition: string,
  ids: readonly number[],
): Promise<WaitingFiring[]> {
  if (ids.length === 0) return [];
  const rows = await run(
    `SELECT d.id, d.notification_id AS notificationId, f.id AS firingId, e.id AS firstId FROM firings e
     JOIN firings f ON f.sensor_trigger_id = e.sensor_trigger_id AND f.fired_ms >= e.fired_ms
     JOIN deliveries d ON d.firing_id = f.id AND d.kind = 'firing' AND ${IS_WAITING}
     WHERE ${condition} AND (f.id = e.id OR f.episode_id = e.id)`,
    [ids],
  );
  return rows.map(({ id, notificationId, firingId, firstId }) => ({
    deliveryId: Number(id),
    notificationId: Number(notificationId),
    firingId: Number(firingId),
    firstId: Number(firstId),
  }));
}

/**
 * Requires the transaction that disconnects the notification from the whole trigger. Spares sensors where it is still
 * connected.
 */
export async function cancelEscalationsOfTrigger(
  run: RunSql,
  triggerId: number,
  notificationId: number,
): Promise<void> {
  await run(
    `DELETE FROM deliveries WHERE notification_id = ? AND trigger_id = ? AND ${IS_WAITING} AND NOT EXISTS (
       SELECT 1 FROM sensor_triggers st JOIN sensor_trigger_notifications stn ON stn.sensor_trigger_id = st.id
       WHERE st.sensor_id = deliveries.sensor_id AND st.trigger_id = deliveries.trigger_id
         AND stn.notification_id = deliveries.notification_id)`,
    [notificationId, triggerId],
  );
}

export interface WaitingDelivery {
  what: 'escalation' | 'mute' | 'parent';
  atMs: number;
}

const EPISODES_PER_STATEMENT = 500;

/** By sensor trigger. */
export async function readNextWaiting(
  run: RunSql,
  episodes: readonly (readonly [sensorTriggerId: number, beganMs: number])[],
): Promise<Map<number, WaitingDelivery>> {
  const next = new Map<number, WaitingDelivery>();
  for (const part of partsOf(episodes, EPISODES_PER_STATEMENT)) {
    const rows = await run(
      `SELECT f.sensor_trigger_id AS sensorTriggerId, d.after_mute AS afterMute, f.muted, MIN(d.next_attempt_ms) AS dueMs
       FROM firings f JOIN deliveries d ON d.firing_id = f.id AND d.escalation AND d.status = 'pending' AND d.attempts = 0
       WHERE d.next_attempt_ms IS NOT NULL
         AND (${part.map(() => '(f.sensor_trigger_id = ? AND f.fired_ms = ?)').join(' OR ')})
       GROUP BY f.sensor_trigger_id, d.after_mute, f.muted`,
      part.flat(),
    );
    for (const { sensorTriggerId, afterMute, muted, dueMs } of rows) {
      const [id, atMs] = [Number(sensorTriggerId), Number(dueMs)];
      const what = !afterMute ? 'escalation' : muted ? 'mute' : 'parent';
      if (atMs < (next.get(id)?.atMs ?? Infinity)) next.set(id, { what, atMs });
    }
  }
  return next;
}

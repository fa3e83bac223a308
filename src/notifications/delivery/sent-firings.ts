import type { RunSql } from '../../storage/transaction';
import { IS_WAITING } from './escalations';

export interface SentFirings {
  /** 0 without a delivery. */
  deliveryId: number;
  firingId: number;
  /** 0 without an end. */
  endId: number;
}

/** `firingId` is the first firing of the episode. */
export function sentKey(firingId: number, notificationId: number): string {
  return `${firingId} ${notificationId}`;
}

/** Leaves out waiting deliveries: they may be deleted. */
export async function readSentFirings(
  run: RunSql,
  firingIds: readonly number[],
  notificationIds: readonly number[],
): Promise<ReadonlyMap<string, SentFirings>> {
  if (firingIds.length === 0 || notificationIds.length === 0) return new Map();
  const rows = await run(
    `SELECT e.id AS firstId, d.notification_id AS notificationId, MAX(IF(d.kind = 'end', d.id, 0)) AS endId,
       MAX(IF(d.kind = 'firing', d.id, 0)) AS deliveryId, MAX(IF(d.kind = 'firing', f.id, 0)) AS firingId
     FROM firings e
     JOIN firings f ON f.sensor_trigger_id = e.sensor_trigger_id AND f.fired_ms >= e.fired_ms
     JOIN deliveries d ON d.firing_id = f.id AND d.notification_id IN (?)
     WHERE e.id IN (?) AND (f.id = e.id OR f.episode_id = e.id) AND NOT (${IS_WAITING})
     GROUP BY e.id, d.notification_id`,
    [notificationIds, firingIds],
  );
  return new Map(
    rows.map(({ firstId, notificationId, endId, deliveryId, firingId }) => [
      sentKey(Number(firstId), Number(notificationId)),
      { deliveryId: Number(deliveryId), firingId: Number(firingId), endId: Number(endId) },
    ]),
  );
}

/** Notifications that got an end when they were disconnected or disabled. */
export async function readEarlyEnded(run: RunSql, firingIds: readonly number[]): Promise<number[]> {
  const rows = await run(
    "SELECT DISTINCT notification_id AS notificationId FROM deliveries WHERE firing_id IN (?) AND kind = 'end'",
    [firingIds],
  );
  return rows.map(({ notificationId }) => Number(notificationId));
}

/** True if no end came after the latest firing. */
export function isOwedAnEnd(sent: SentFirings | undefined): boolean {
  return sent !== undefined && sent.deliveryId > sent.endId;
}

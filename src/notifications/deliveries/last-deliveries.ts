import type { Pool, RowDataPacket } from 'mysql2/promise';

/** The newest delivery of a notification, with its latest attempt. */
export interface LastDelivery {
  id: number;
  status: string;
  createdMs: number;
  nextAttemptMs: number | null;
  /** Null before the first attempt, as are the next two fields. */
  attemptedMs: number | null;
  statusCode: number | null;
  error: string | null;
}

interface LastDeliveryRow extends RowDataPacket, LastDelivery {
  notificationId: number;
}

/** By notification. The notice that a notification was disabled does not count. */
export async function findLastDeliveries(
  pool: Pool,
  ownerId: number,
  notificationIds: readonly number[],
): Promise<ReadonlyMap<number, LastDelivery>> {
  const ids = [...new Set(notificationIds)];
  if (ids.length === 0) return new Map();
  // MySQL reads one step at the end of each part of the index (notification_id, id).
  const [rows] = await pool.query<LastDeliveryRow[]>(
    `SELECT n.id AS notificationId, d.id, d.status, d.created_ms AS createdMs,
       IF(d.digest_id IS NULL, COALESCE(d.next_attempt_ms, d.throttled_ms), NULL) AS nextAttemptMs,
       a.date_ms AS attemptedMs, a.status_code AS statusCode, a.error
     FROM notifications n
     JOIN deliveries d ON d.id = (
       SELECT id FROM deliveries WHERE notification_id = n.id AND kind <> 'notice' ORDER BY id DESC LIMIT 1)
     LEFT JOIN delivery_attempts a ON a.id = (
       SELECT id FROM delivery_attempts WHERE delivery_id = d.id ORDER BY id DESC LIMIT 1)
     WHERE n.owner_id = ? AND n.id IN (?)`,
    [ownerId, ids],
  );
  return new Map(rows.map(({ notificationId, ...last }) => [notificationId, last]));
}

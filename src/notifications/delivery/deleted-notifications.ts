import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { RunSql } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';

/** The columns of a notification `n` that a `DeliveryRow` has. */
export const NOTIFICATION_COLUMNS = `n.signing_secret, n.replaced_secrets, n.format, n.method, n.headers, n.secrets,
  n.content_type, n.body, n.body_resolved, n.body_acknowledged, n.ca_certificate, n.success, n.push_keys, n.digest,
  n.enabled, n.disabled_reason, n.failing_since_ms, n.warned_ms, n.limited_until_ms, n.proven_ms,
  n.destination AS present_destination`;

const WAITING_END = "d.kind = 'end' AND d.status = 'pending'";

/** Requires the transaction that deletes the disabled notification. Secrets stay sealed. */
export async function keepForEnds(run: RunSql, id: number): Promise<void> {
  const waiting = await run(`SELECT d.id FROM deliveries d WHERE d.notification_id = ? AND ${WAITING_END} LIMIT 1`, [
    id,
  ]);
  const [row] =
    waiting.length === 0
      ? []
      : await run(`SELECT n.owner_id, ${NOTIFICATION_COLUMNS} FROM notifications n WHERE n.id = ?`, [id]);
  if (!row) return;
  const { owner_id: ownerId, ...kept } = row;
  await run('INSERT INTO deleted_notifications (id, owner_id, kept) VALUES (?)', [[id, ownerId, JSON.stringify(kept)]]);
}

/** Requires the transaction that disables or deletes the notification. */
export async function releaseEnds(run: RunSql, notificationId: number, nowMs: number): Promise<void> {
  await run(
    `UPDATE deliveries d JOIN deliveries g ON g.id = d.digest_id AND g.status = 'pending' AND g.lease IS NULL
     SET d.digest_id = NULL, d.next_attempt_ms = ?
     WHERE d.notification_id = ? AND ${WAITING_END}`,
    [nowMs, notificationId],
  );
}

/** Adds to the ends of deleted notifications what was kept. */
export async function withKept<T extends DeliveryRow>(pool: Pool, rows: readonly T[]): Promise<T[]> {
  const isOrphan = (row: T) => row.signing_secret === null && row.kind === 'end';
  const ids = new Set(rows.filter(isOrphan).map((row) => row.notification_id));
  if (ids.size === 0) return [...rows];
  const [found] = await pool.query<RowDataPacket[]>('SELECT id, kept FROM deleted_notifications WHERE id IN (?)', [
    [...ids],
  ]);
  const kept = new Map(found.map((row) => [Number(row.id), JSON.parse(row.kept)]));
  return rows.map((row) => (isOrphan(row) ? { ...row, ...kept.get(row.notification_id) } : row));
}

/** Deletes what no waiting end needs. Returns the number. */
export async function deleteKept(pool: Pool, limit: number): Promise<number> {
  const [{ affectedRows }] = await pool.query<ResultSetHeader>(
    `DELETE FROM deleted_notifications WHERE NOT EXISTS (
       SELECT 1 FROM deliveries d WHERE d.notification_id = deleted_notifications.id AND ${WAITING_END}) LIMIT ?`,
    [limit],
  );
  return affectedRows;
}

import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { isDeadlock, isDuplicateKey } from '../database/mysql-errors';
import type { Claim, DeliveryRow } from './attempt';
import { CLAIM_MS } from './claim-renewer';

/** Only attempts that hold a slot reach a receiver. */
const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM paused_receivers o WHERE o.receiver = deliveries.receiver)';

/** The result of writing a claim: it is written, the delivery is not due any more, or another claim holds the slot. */
export type TakeResult = 'taken' | 'not-due' | 'slot-taken';

/** A delivery with what a claim depends on: its notification and the failures of its receiver. */
export async function readDelivery(pool: Pool, deliveryId: number): Promise<DeliveryRow | undefined> {
  const [rows] = await pool.query<(RowDataPacket & DeliveryRow)[]>(
    `SELECT d.*, n.signing_secret, n.replaced_secrets, n.format, n.digest, n.enabled, n.disabled_reason, n.failing_since_ms,
            n.destination AS present_destination, s.id AS present_sensor_id, t.id AS present_trigger_id, a.failures,
            o.since_ms AS paused_ms, g.status AS digest_status
     FROM deliveries d LEFT JOIN notifications n ON n.id = d.notification_id
          LEFT JOIN sensors s ON s.id = d.sensor_id LEFT JOIN triggers t ON t.id = d.trigger_id
          LEFT JOIN degraded_receivers a ON a.receiver = d.receiver
          LEFT JOIN paused_receivers o ON o.receiver = d.receiver
          LEFT JOIN deliveries g ON g.id = d.digest_id
     WHERE d.id = ?`,
    [deliveryId],
  );
  return rows[0];
}

/** Whether the next attempt of a delivery may be claimed. */
export function isDue(row: DeliveryRow, nowMs: number): boolean {
  const isClaimed = row.claimed_until_ms !== null && row.claimed_until_ms > nowMs;
  return row.status === 'pending' && row.next_attempt_ms !== null && row.next_attempt_ms <= nowMs && !isClaimed;
}

/** Writes a claim, with the slot of the receiver if it needs one, unless another worker was first, or the receiver is paused by now. */
export async function takeClaim(
  pool: Pool,
  { row, token }: Pick<Claim, 'row' | 'token'>,
  slot: number | null,
  nowMs: number,
): Promise<TakeResult> {
  try {
    const [result] = await pool.query<ResultSetHeader>(
      `UPDATE deliveries SET claimed_until_ms = ?, claim = ?, slot = ?
       WHERE id = ? AND status = 'pending' AND attempts = ? AND next_attempt_ms <= ?
         AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)${slot === null ? '' : ` AND ${NOT_PAUSED}`}`,
      [nowMs + CLAIM_MS, token, slot, row.id, row.attempts, nowMs, nowMs],
    );
    return result.affectedRows === 0 ? 'not-due' : 'taken';
  } catch (error) {
    if (isDuplicateKey(error) || isDeadlock(error)) return 'slot-taken';
    throw error;
  }
}

/** Puts the next attempt of a delivery off until then, unless a worker has claimed it. It costs the delivery no attempt. */
export async function postpone(pool: Pool, deliveryId: number, untilMs: number, nowMs: number): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET next_attempt_ms = ?
     WHERE id = ? AND status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
    [untilMs, deliveryId, nowMs, nowMs],
  );
}

/** The same by the worker that has claimed it, which ends the claim. */
export async function postponeClaimed(
  pool: Pool,
  { row, token }: Pick<Claim, 'row' | 'token'>,
  untilMs: number,
): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET next_attempt_ms = ?, claimed_until_ms = NULL, claim = NULL, slot = NULL WHERE id = ? AND claim = ?`,
    [untilMs, row.id, token],
  );
}

/** Counts one more failed attempt in a row to a receiver. */
export async function countFailure(pool: Pool, receiver: string, nowMs: number): Promise<void> {
  await pool.query(
    'INSERT INTO degraded_receivers (receiver, since_ms) VALUES (?) ON DUPLICATE KEY UPDATE failures = LEAST(failures + 1, 1000)',
    [[receiver, nowMs]],
  );
}

/** Ends the count of failed attempts in a row. */
export async function forgetFailures(pool: Pool, receiver: string): Promise<void> {
  await pool.query('DELETE FROM degraded_receivers WHERE receiver = ?', [receiver]);
}

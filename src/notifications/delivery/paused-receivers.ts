import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';

export interface ReceiverStatus {
  receiver: string;
  pending: number;
  /** Due, and waiting for a permit or for the end of the pause. */
  throttled: number;
  underWay: number;
  /** Consecutive. */
  failures: number;
  pausedSinceMs: number | null;
  reason: string;
}

/**
 * After `pause`, no attempt begins in any process; running ones continue. Throttled deliveries lose neither attempts
 * nor time.
 */
export class PausedReceivers {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  /** False if it was already paused; it then gets the new reason. */
  async pause(receiver: string, reason: string): Promise<boolean> {
    const [result] = await this.pool.query<ResultSetHeader>(
      `INSERT INTO paused_receivers (receiver, since_ms, reason) VALUES (?)
       ON DUPLICATE KEY UPDATE reason = VALUES(reason)`,
      [[receiver, this.clock.now(), reason]],
    );
    return result.affectedRows === 1;
  }

  /** False if it was not paused. The reconciler wakes its deliveries. */
  async resume(receiver: string): Promise<boolean> {
    const [result] = await this.pool.query<ResultSetHeader>('DELETE FROM paused_receivers WHERE receiver = ?', [
      receiver,
    ]);
    return result.affectedRows > 0;
  }

  async underWay(receiver: string): Promise<number> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS count FROM deliveries WHERE receiver = ? AND permit IS NOT NULL AND lease_until_ms > ?',
      [receiver, this.clock.now()],
    );
    return Number(rows[0]?.count ?? 0);
  }

  async list(limit: number): Promise<ReceiverStatus[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT w.receiver, SUM(w.pending) AS pending, SUM(w.throttled) AS throttled, SUM(w.underWay) AS underWay,
              MAX(w.failures) AS failures, MAX(w.pausedMs) AS pausedMs, MAX(w.reason) AS reason
       FROM (SELECT COALESCE(receiver, '') AS receiver, COUNT(*) AS pending, SUM(next_attempt_ms IS NULL) AS throttled,
                    SUM(COALESCE(lease_until_ms > ?, 0)) AS underWay, 0 AS failures, NULL AS pausedMs, '' AS reason
             FROM deliveries WHERE status = 'pending' GROUP BY receiver
             UNION ALL SELECT receiver, 0, 0, 0, failures, NULL, '' FROM degraded_receivers
             UNION ALL SELECT receiver, 0, 0, 0, 0, since_ms, reason FROM paused_receivers) w
       GROUP BY w.receiver ORDER BY MAX(w.pausedMs) IS NULL, pending DESC, failures DESC, w.receiver LIMIT ?`,
      [this.clock.now(), limit],
    );
    return rows.map((row) => ({
      receiver: String(row.receiver),
      pending: Number(row.pending),
      throttled: Number(row.throttled),
      underWay: Number(row.underWay),
      failures: Number(row.failures),
      pausedSinceMs: row.pausedMs === null ? null : Number(row.pausedMs),
      reason: String(row.reason),
    }));
  }
}

import type { WorkerCount } from '../../queue/shard-assignment';
import type { RunSql } from '../../storage/transaction';
import { OVERDUE_MS, type Wait } from './waiting';

/** What a user waits for while no worker does anything. */
export interface Standstill {
  reason: string;
  /** When the oldest of it was due. */
  sinceMs: number;
}

export const STANDSTILL_CONSEQUENCE = 'data is stored, but nothing is evaluated and nothing is sent';

/** What of a user is due: points, events, deliveries, and triggers that the clock decides. The parameters are the user and the time. */
const OVERDUE = `SELECT MIN(ms) AS sinceMs FROM (
  SELECT MIN(b.stored_ms) AS ms FROM partitions p JOIN inbox_batches b ON b.partition_no = p.partition_no AND b.owner_id = :user
  UNION ALL SELECT MIN(created_ms) FROM events WHERE retry_at_ms IS NULL AND user_id = :user
  UNION ALL SELECT MIN(COALESCE(d.next_attempt_ms, d.throttled_ms, d.created_ms)) FROM notifications n
    JOIN deliveries d ON d.notification_id = n.id AND d.status = 'pending' AND d.digest_id IS NULL
    WHERE n.owner_id = :user AND (d.next_attempt_ms IS NULL OR d.next_attempt_ms <= :now)
  UNION ALL SELECT MIN(s.due_at_ms) FROM triggers t JOIN sensor_triggers s ON s.trigger_id = t.id
    WHERE t.owner_id = :user AND s.due_at_ms <= :now
  UNION ALL SELECT MIN(s.condition_due_ms) FROM triggers t JOIN sensor_triggers s ON s.trigger_id = t.id
    WHERE t.owner_id = :user AND s.condition_due_ms <= :now) due`;

/** Without a worker no delivery is late by its own record only: nothing would report it. */
export class Standstills {
  constructor(
    private readonly workers: Pick<WorkerCount, 'count'>,
    private readonly run: RunSql,
  ) {}

  /** Null while a worker runs, and while nothing of the user is overdue. */
  async of(userId: number, nowMs: number): Promise<Standstill | null> {
    const reason = await this.reason();
    if (reason === null) return null;
    const values = { user: Number(userId), now: Number(nowMs) };
    const sql = OVERDUE.replace(/:(user|now)/g, (_, name: keyof typeof values) => String(values[name]));
    const [row] = await this.run(sql, []);
    const sinceMs = row?.sinceMs === undefined || row.sinceMs === null ? null : Number(row.sinceMs);
    return sinceMs === null || sinceMs > nowMs - OVERDUE_MS ? null : { reason, sinceMs };
  }

  /** Names the standstill as the reason of those that are due. */
  async explain<T extends Wait>(waits: Map<number, T>): Promise<Map<number, T>> {
    if (![...waits.values()].some(({ isDue }) => isDue)) return waits;
    const reason = await this.reason();
    if (reason === null) return waits;
    return new Map([...waits].map(([id, wait]) => [id, wait.isDue ? { ...wait, reason } : wait]));
  }

  private async reason(): Promise<string | null> {
    const workers = await this.workers.count();
    if (workers === undefined) return `Redis does not answer: ${STANDSTILL_CONSEQUENCE}`;
    return workers === 0 ? `no worker runs: ${STANDSTILL_CONSEQUENCE}` : null;
  }
}

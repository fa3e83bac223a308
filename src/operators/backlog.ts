import type { Pool, RowDataPacket } from 'mysql2/promise';
import { readAllWaiting, type WaitingNotification } from '../notifications';
import type { Clock } from '../platform/clock';
import { runOn } from '../storage/transaction';

export interface Waiting {
  count: number;
  /** Null if nothing waits. */
  oldestSeconds: number | null;
}

/** The inbox of a partition. */
export interface PartitionBacklog extends Waiting {
  partition: number;
  batches: number;
}

/** What waits for a worker. */
export interface UserBacklog {
  userId: number;
  username: string;
  points: number;
  events: number;
  deliveries: number;
}

/** Deliveries are `due`, `underWay`, `throttled` (no free permit, or a paused receiver) or `planned`. */
export interface BacklogSummary {
  points: Waiting;
  events: Waiting & { failing: number };
  due: Waiting;
  underWay: number;
  throttled: Waiting;
  planned: number;
  training: Waiting;
  purge: Waiting;
}

const EVERYTHING = `
  SELECT 'points' AS what, COALESCE(SUM(points), 0) AS count, MIN(stored_ms) AS oldestMs FROM inbox_batches
  UNION ALL SELECT 'events', COUNT(*), MIN(created_ms) FROM events
  UNION ALL SELECT 'failing', COUNT(*), NULL FROM events WHERE retry_at_ms IS NOT NULL
  UNION ALL SELECT 'due', COUNT(*), MIN(next_attempt_ms) FROM deliveries
    WHERE status = 'pending' AND next_attempt_ms <= :now AND (lease_until_ms IS NULL OR lease_until_ms <= :now)
  UNION ALL SELECT 'underWay', COUNT(*), NULL FROM deliveries WHERE status = 'pending' AND lease_until_ms > :now
  UNION ALL SELECT 'throttled', COUNT(*), MIN(throttled_ms) FROM deliveries WHERE status = 'pending' AND next_attempt_ms IS NULL
  UNION ALL SELECT 'planned', COUNT(*), NULL FROM deliveries WHERE status = 'pending' AND next_attempt_ms > :now
  UNION ALL SELECT 'training', COUNT(*), MIN(created_ms) FROM training_jobs WHERE status = 'pending'
  UNION ALL SELECT 'purge', COUNT(*), MIN(created_ms) FROM purge_queue`;

const BY_USER = `
  SELECT w.ownerId AS userId, COALESCE(u.username, '') AS username, SUM(w.points) AS points, SUM(w.events) AS events,
         SUM(w.deliveries) AS deliveries
  FROM (SELECT owner_id AS ownerId, SUM(points) AS points, 0 AS events, 0 AS deliveries FROM inbox_batches GROUP BY owner_id
        UNION ALL SELECT user_id, 0, COUNT(*), 0 FROM events GROUP BY user_id
        UNION ALL SELECT owner_id, 0, 0, COUNT(*) FROM deliveries WHERE status = 'pending' GROUP BY owner_id) w
       LEFT JOIN users u ON u.id = w.ownerId
  GROUP BY w.ownerId, u.username ORDER BY SUM(w.points + w.events + w.deliveries) DESC, userId LIMIT :limit`;

/** One statement per method, whose cost is proportional to the waiting work. */
export class Backlog {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  async summary(): Promise<BacklogSummary> {
    const rows = await this.read(EVERYTHING, {});
    const of = (what: string): Waiting => {
      const row = rows.find((each) => each.what === what);
      return { count: Number(row?.count ?? 0), oldestSeconds: this.ageOf(row?.oldestMs) };
    };
    return {
      points: of('points'),
      events: { ...of('events'), failing: of('failing').count },
      due: of('due'),
      underWay: of('underWay').count,
      throttled: of('throttled'),
      planned: of('planned').count,
      training: of('training'),
      purge: of('purge'),
    };
  }

  /** Non-empty ones. */
  async partitions(): Promise<PartitionBacklog[]> {
    const rows = await this.read(
      `SELECT partition_no AS partitionNo, COUNT(*) AS batches, SUM(points) AS points, MIN(stored_ms) AS oldestMs
       FROM inbox_batches GROUP BY partition_no ORDER BY partition_no`,
      {},
    );
    return rows.map(({ partitionNo, batches, points, oldestMs }) => ({
      partition: Number(partitionNo),
      batches: Number(batches),
      count: Number(points),
      oldestSeconds: this.ageOf(oldestMs),
    }));
  }

  /** Most waiting work first. */
  async users(limit: number): Promise<UserBacklog[]> {
    const rows = await this.read(BY_USER, { limit });
    return rows.map(({ userId, username, points, events, deliveries }) => ({
      userId: Number(userId),
      username: String(username),
      points: Number(points),
      events: Number(events),
      deliveries: Number(deliveries),
    }));
  }

  waitingNotifications(limit: number): Promise<WaitingNotification[]> {
    return readAllWaiting(runOn(this.pool), this.clock.now(), limit);
  }

  private async read(sql: string, values: Record<string, number>): Promise<RowDataPacket[]> {
    const all: Record<string, number> = { now: this.clock.now(), ...values };
    const [rows] = await this.pool.query<RowDataPacket[]>(
      sql.replace(/:(\w+)/g, (_, name: string) => String(Number(all[name]))),
    );
    return rows;
  }

  private ageOf(ms: unknown): number | null {
    if (ms === null || ms === undefined) return null;
    return Math.max(0, Math.round((this.clock.now() - Number(ms)) / 100) / 10);
  }
}

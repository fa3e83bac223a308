import type { PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { RecentCounts } from '../platform/recent-counts';
import type { Database } from '../storage';
import { inPoolTransaction } from '../storage/transaction';
import { readLoad } from './load';
import { latencies, type MadeAttempt } from './minute-latencies';

const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The attempts of the minute have been recorded by then. */
const LAG_MS = 5_000;
const FIRST_LOOK = 10_000;
const MOST_ATTEMPTS = 100_000;

/**
 * Every process adds its points and refused requests to the present minute and hour; one API process samples each past
 * minute: backlog and attempts. A killed process loses ten seconds.
 */
export class LoadRecorder {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly counts: RecentCounts,
    private readonly logger: Logger,
  ) {}

  start({ samples }: { samples: boolean }): void {
    this.timer = setInterval(() => {
      this.underWay ??= this.record(samples).finally(() => {
        this.underWay = undefined;
      });
    }, EVERY_MS).unref();
  }

  /** Never fails. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.underWay;
    await this.record(false);
  }

  /** Adds this process's counts. */
  async addCounts(): Promise<void> {
    const taken = this.counts.take();
    const nowMs = this.clock.now();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    const users = [...taken.points].sort(([a], [b]) => a - b).map(([id, points]) => [id, hourMs, points]);
    const refused = [...taken.refused].map(([status, count]) => [`refused_${status}`, count] as const);
    const points = users.reduce((sum, [, , count = 0]) => sum + count, 0);
    const samples = [...(points > 0 ? [['points', points] as const] : []), ...refused];
    if (samples.length === 0) return;
    try {
      await inPoolTransaction(this.database.pool, async (connection) => {
        await addSamples(connection, nowMs - (nowMs % MINUTE_MS), samples);
        if (users.length === 0) return;
        await connection.query(
          `INSERT INTO user_hours (user_id, hour_ms, points) VALUES ?
           ON DUPLICATE KEY UPDATE points = points + VALUES(points)`,
          [users],
        );
      });
    } catch (error) {
      this.counts.putBack(taken);
      throw error;
    }
  }

  /** The latest past minute. Returns false if another process has sampled it. */
  async sample(): Promise<boolean> {
    const lateMs = this.clock.now() - LAG_MS;
    const minuteMs = lateMs - (lateMs % MINUTE_MS) - MINUTE_MS;
    const [done] = await this.database.pool.query<RowDataPacket[]>(
      "SELECT 1 FROM minute_samples WHERE minute_ms = ? AND name = 'sampled'",
      [minuteMs],
    );
    if (done.length > 0) return false;
    const { counts, oldestSeconds } = await readLoad(this.database.reads, this.clock);
    return inPoolTransaction(this.database.pool, async (connection) => {
      if (!(await takeMinute(connection, minuteMs))) return false;
      const { attempts, lastId } = await readAttempts(connection, minuteMs);
      await addSamples(connection, minuteMs, [
        ['waiting_points', counts.get('points') ?? 0],
        ['waiting_deliveries', (counts.get('deliveries_due') ?? 0) + (counts.get('deliveries_throttled') ?? 0)],
        ['oldest_points', oldestSeconds.get('points') ?? 0],
        ['oldest_deliveries', oldestSeconds.get('deliveries_due') ?? 0],
        ['last_attempt', lastId],
        ...latencies(attempts),
      ]);
      await addDeliveries(connection, minuteMs, attempts);
      return true;
    });
  }

  private async record(samples: boolean): Promise<void> {
    try {
      await this.addCounts();
      if (samples) await this.sample();
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'the load could not be recorded');
    }
  }
}

/** True for the only transaction that may sample the minute. */
async function takeMinute(connection: PoolConnection, minuteMs: number): Promise<boolean> {
  const [taken] = await connection.query<ResultSetHeader>('INSERT IGNORE INTO minute_samples VALUES (?)', [
    [minuteMs, 'sampled', 1],
  ]);
  return taken.affectedRows === 1;
}

/**
 * Attempts that ended in a minute, by id: younger than the last one of the sample two minutes before. A digest's
 * attempt counts once.
 */
async function readAttempts(
  connection: PoolConnection,
  minuteMs: number,
): Promise<{ attempts: MadeAttempt[]; lastId: number }> {
  const [[ids]] = await connection.query<RowDataPacket[]>(
    `SELECT COALESCE(MAX(id), 0) AS lastId,
       (SELECT value FROM minute_samples WHERE name = 'last_attempt' AND minute_ms < ? ORDER BY minute_ms DESC LIMIT 1) AS afterId
     FROM delivery_attempts`,
    [minuteMs - MINUTE_MS],
  );
  const lastId = Number(ids?.lastId ?? 0);
  const afterId = Number(ids?.afterId ?? Math.max(0, lastId - FIRST_LOOK));
  const [rows] = await connection.query<(RowDataPacket & MadeAttempt)[]>(
    `SELECT d.owner_id AS ownerId, a.error IS NULL AS isDelivered,
       IF(d.escalation OR d.after_mute OR d.digest_minute_ms IS NOT NULL, NULL,
         a.date_ms + a.duration_ms - COALESCE(d.received_ms, d.created_ms)) AS latencyMs
     FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id AND d.digest_id IS NULL
     WHERE a.id > ? AND a.date_ms + a.duration_ms >= ? AND a.date_ms + a.duration_ms < ? LIMIT ?`,
    [afterId, minuteMs, minuteMs + MINUTE_MS, MOST_ATTEMPTS],
  );
  return { attempts: rows, lastId };
}

async function addDeliveries(
  connection: PoolConnection,
  minuteMs: number,
  attempts: readonly MadeAttempt[],
): Promise<void> {
  const counts = new Map<number, number>();
  for (const { ownerId, isDelivered } of attempts) {
    if (isDelivered) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  }
  if (counts.size === 0) return;
  const rows = [...counts].sort(([a], [b]) => a - b).map(([id, count]) => [id, minuteMs - (minuteMs % HOUR_MS), count]);
  await connection.query(
    `INSERT INTO user_hours (user_id, hour_ms, deliveries) VALUES ?
     ON DUPLICATE KEY UPDATE deliveries = deliveries + VALUES(deliveries)`,
    [rows],
  );
}

async function addSamples(
  connection: PoolConnection,
  minuteMs: number,
  samples: readonly (readonly [name: string, value: number])[],
): Promise<void> {
  await connection.query(
    'INSERT INTO minute_samples (minute_ms, name, value) VALUES ? ON DUPLICATE KEY UPDATE value = value + VALUES(value)',
    [[...samples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [minuteMs, name, value])],
  );
}

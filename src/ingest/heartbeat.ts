import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { Logger } from '../logger';

const BEAT_MS = 500;

/** A longer gap between heartbeats counts as an outage: time in which no upload could be accepted. */
export const OUTAGE_THRESHOLD_MS = 3_000;

/**
 * Tells, twice a second and from every API process, until when uploads were accepted. The first heartbeat after a gap
 * records the gap as an outage, so that it never counts as a sensor's inactivity.
 */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Beats once, then keeps beating until `stop`. */
  async start(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => {
      this.beating = this.beat().catch((error: unknown) => {
        this.logger.warn({ reason: String(error) }, 'heartbeat failed');
      });
    }, BEAT_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  /** One heartbeat, in one transaction with the outage that it ends. */
  async beat(): Promise<void> {
    const connection = await this.pool.getConnection();
    try {
      await connection.beginTransaction();
      await this.advance(connection);
      await connection.commit();
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  }

  private async advance(connection: PoolConnection): Promise<void> {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT accepting_until_ms AS until FROM heartbeats WHERE id = 1 FOR UPDATE',
    );
    const now = this.clock.now();
    const until: unknown = rows[0]?.until;
    if (typeof until === 'number' && now - until > OUTAGE_THRESHOLD_MS) {
      await connection.query<ResultSetHeader>('INSERT IGNORE INTO outages (from_ms, to_ms) VALUES (?, ?)', [
        until,
        now,
      ]);
    }
    await connection.query<ResultSetHeader>(
      `INSERT INTO heartbeats (id, accepting_until_ms) VALUES (1, ?)
       ON DUPLICATE KEY UPDATE accepting_until_ms = GREATEST(accepting_until_ms, VALUES(accepting_until_ms))`,
      [now],
    );
  }
}

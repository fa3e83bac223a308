import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { isTransient } from '../database/mysql-errors';
import type { Logger } from '../logger';
import { withTimeout } from '../with-timeout';

const BEAT_MS = 500;
/** A heartbeat of another process that is no older than this counts as one's own: however many there are, few write. */
const FRESH_MS = 200;
/** On a cluster two processes may write the row on two servers: one of them is refused, and looks again. */
const MAX_TRIES = 3;
const PAUSE_MS = 50;
/** How long a heartbeat waits for a connection before it fails. */
const CONNECT_MS = 2_000;

/** A longer gap between heartbeats counts as an outage: time in which no upload could be accepted. */
export const OUTAGE_THRESHOLD_MS = 3_000;

/**
 * Records, twice a second and from every API process, until when uploads were accepted; what another process has recorded
 * just now is not repeated. The first heartbeat after a gap records the gap as an outage, so that it never counts as a sensor's inactivity. A process makes one heartbeat at a
 * time and so never uses more than one connection for them, however long the row is locked by another process.
 */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;
  /** A connection that was requested and not used yet: the next heartbeat takes it instead of requesting another. */
  private connecting: Promise<PoolConnection> | undefined;
  /** What this process has written last. */
  private writtenMs = 0;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly synchronize: (connection: PoolConnection) => Promise<void> = async () => undefined,
  ) {}

  /** Beats once, then keeps beating until `stop`. */
  async start(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => {
      if (this.underWay) return;
      this.beat().catch((error: unknown) => this.logger.warn({ reason: String(error) }, 'heartbeat failed'));
    }, BEAT_MS);
    this.timer.unref();
  }

  /** Stops, after the heartbeat in progress. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.underWay?.catch(() => undefined);
    this.connecting?.then(
      (connection) => connection.release(),
      () => undefined,
    );
  }

  /** Makes one heartbeat, in one transaction with the outage that it may end, or joins the one in progress. */
  beat(): Promise<void> {
    this.underWay ??= this.beatOnce().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async beatOnce(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.tryToBeat(await this.connect());
      } catch (error) {
        if (attempt >= MAX_TRIES || !isTransient(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.ceil(Math.random() * PAUSE_MS)));
      }
    }
  }

  private async tryToBeat(connection: PoolConnection): Promise<void> {
    try {
      if (!(await this.isFresh(connection)) && !(await this.extend(connection))) await this.endOutage(connection);
      connection.release();
    } catch (error) {
      // A connection whose rollback fails is broken: it must not go back to the pool.
      await connection.rollback().then(
        () => connection.release(),
        () => connection.destroy(),
      );
      throw error;
    }
  }

  /** Whether another process has just made a heartbeat, by the clock of MySQL. Locks nothing. */
  private async isFresh(connection: PoolConnection): Promise<boolean> {
    await this.synchronize(connection);
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT accepting_until_ms AS until FROM heartbeats WHERE id = 1',
    );
    const until: unknown = rows[0]?.until;
    if (typeof until !== 'number' || until === this.writtenMs) return false;
    return Math.abs(this.clock.now() - until) <= FRESH_MS;
  }

  /** One statement, because nearly all heartbeats follow another. Whether this one does. */
  private async extend(connection: PoolConnection): Promise<boolean> {
    const now = this.clock.now();
    const [extended] = await connection.query<ResultSetHeader>(
      'UPDATE heartbeats SET accepting_until_ms = ? WHERE id = 1 AND accepting_until_ms >= ? AND accepting_until_ms <= ?',
      [now, now - OUTAGE_THRESHOLD_MS, now],
    );
    if (extended.affectedRows > 0) this.writtenMs = now;
    return extended.affectedRows > 0;
  }

  private async endOutage(connection: PoolConnection): Promise<void> {
    await connection.beginTransaction();
    await this.advance(connection);
    await connection.commit();
  }

  private async connect(): Promise<PoolConnection> {
    const connecting = this.connecting ?? this.pool.getConnection();
    this.connecting = connecting;
    const forget = () => {
      this.connecting = undefined;
    };
    connecting.catch(forget);
    const connection = await withTimeout(CONNECT_MS, connecting, () => new Error('no connection to MySQL is free'));
    forget();
    return connection;
  }

  private async advance(connection: PoolConnection): Promise<void> {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT accepting_until_ms AS until FROM heartbeats WHERE id = 1 FOR UPDATE',
    );
    // A clock that is ahead would record an outage that never was, and no inactivity would be due meanwhile.
    await this.synchronize(connection);
    const now = this.clock.now();
    this.writtenMs = now;
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

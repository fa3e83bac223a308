import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { withTimeout } from '../../platform/with-timeout';
import { isTransient } from '../../storage/mysql-errors';
import { StatementPipeline } from '../../storage/pipeline';

const BEAT_MS = 500;
/**
 * A heartbeat of another process that is no older than this counts as one's own, so that few processes write, however
 * many there are.
 */
const FRESH_MS = 200;
/** On a cluster, two processes may write the row on two servers: one of them is refused, and tries again. */
const MAX_TRIES = 3;
const PAUSE_MS = 50;
/** How long a heartbeat waits for a connection before it fails. */
const CONNECT_MS = 2_000;

/** A longer gap between heartbeats counts as an outage: time in which no upload could be accepted. */
export const OUTAGE_THRESHOLD_MS = 3_000;

/**
 * Records, twice a second and from every API process, until when uploads were accepted. A process skips its heartbeat
 * if another one has just recorded it. The first heartbeat after a gap records the gap as an outage, so that it never
 * counts as a sensor's inactivity. A process makes one heartbeat at a time, so it never uses more than one connection
 * for them, however long another process locks the row.
 */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;
  /** A requested connection that has not been used yet. The next heartbeat takes it instead of requesting another. */
  private connecting: Promise<PoolConnection> | undefined;
  /** The last time that this process has written. */
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

  /** Stops after the heartbeat in progress. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.underWay?.catch(() => undefined);
    this.connecting?.then(
      (connection) => connection.release(),
      () => undefined,
    );
  }

  /** Makes one heartbeat, in one transaction with the outage that it may end, or joins the heartbeat in progress. */
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
      if (!(await this.extend(connection))) await this.endOutage(connection);
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

  /**
   * Uses one packet, because nearly all heartbeats follow another. Returns true if this one does, or if a fresh
   * heartbeat of another process makes it unnecessary.
   */
  private async extend(connection: PoolConnection): Promise<boolean> {
    const together = new StatementPipeline(connection);
    const synchronized = this.synchronize(together.asConnection); // first: it waits for the writes of other servers
    const extended = together.query(() => extension(this.nowSql()), [this.writtenMs]);
    const read = together.query(
      () => `SELECT accepting_until_ms AS until, ${this.nowSql()} AS nowMs FROM heartbeats WHERE id = 1`,
    );
    await Promise.all([synchronized, extended, read]);
    const [{ affectedRows }] = (await extended) as [ResultSetHeader]; // the driver's answers to these statements
    const [[row]] = (await read) as [RowDataPacket[]];
    const until = Number(row?.until);
    if (affectedRows > 0) this.writtenMs = until;
    return affectedRows > 0 || Math.abs(Number(row?.nowMs) - until) <= FRESH_MS;
  }

  /** MySQL's clock, if this process synchronises with it: its own clock may have drifted since it was last set. */
  private nowSql(): string {
    return this.clock.synchronize ? 'ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)' : String(this.clock.now());
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
    // A clock that is ahead would record a false outage, and no inactivity would be due meanwhile.
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

/** The statement of a heartbeat. Does nothing if the heartbeat ends an outage or another process has just made one. */
function extension(nowSql: string): string {
  return `UPDATE heartbeats SET accepting_until_ms = ${nowSql}
    WHERE id = 1 AND accepting_until_ms >= ${nowSql} - ${OUTAGE_THRESHOLD_MS} AND accepting_until_ms <= ${nowSql}
      AND (accepting_until_ms < ${nowSql} - ${FRESH_MS} OR accepting_until_ms = ?)`;
}

/** Deletes outages that ended before a date. Returns their number. */
export async function removeOutages(pool: Pool, untilMs: number, most: number): Promise<number> {
  const [result] = await pool.query<ResultSetHeader>('DELETE FROM outages WHERE to_ms < ? LIMIT ?', [untilMs, most]);
  return result.affectedRows;
}

import { randomBytes } from 'node:crypto';
import type { FieldPacket, Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { withTimeout } from '../platform/with-timeout';
import { cancellationSignal, chargedUser, throwIfCancelled } from './cancellation';
import { isOverTime } from './mysql-errors';

/** What reads one statement at a time: any of the pools. */
export interface Reader {
  query<T extends RowDataPacket[]>(sql: string, values?: unknown[]): Promise<[T, FieldPacket[]]>;
}

const INTERRUPT_MS = 2_000;
/** After a long statement, the user's others do not try the connections for short ones for so long. */
const LONG_READER_MS = 60_000;

/** Connections of which each has a time limit for its statements. */
export interface ReadPools {
  /** For what ends within a moment. */
  short: Pool;
  /** For the rest. */
  long: Pool;
  /** Other connections of the same user of MySQL, to end statements. */
  interrupts: Pool;
}

/**
 * Runs what may take long to read. Each statement first has a moment on the connections for short ones, so that these are
 * never occupied for long, however many users read widely. A statement that nobody waits for any more is ended in MySQL too.
 */
export class ReadPool implements Reader {
  /** Users with a long statement, and until when that counts. */
  private readonly longReaders = new Map<number, number>();

  constructor(private readonly pools: ReadPools) {}

  /** The pools, by what is read on them; for measurements. */
  get byLength(): Readonly<Record<'short' | 'long', Pool>> {
    const { short, long } = this.pools;
    return { short, long };
  }

  /** The rows; throws the reason of `runCancellable`'s signal when the work is given up. */
  async query<T extends RowDataPacket[]>(sql: string, values: unknown[] = []): Promise<[T, FieldPacket[]]> {
    const { short, long } = this.pools;
    if (this.isLongReader()) return this.queryOn(long, sql, values);
    try {
      return await this.queryOn<T>(short, sql, values);
    } catch (error) {
      if (!isOverTime(error)) throw error;
      this.noteLongRead();
      return this.queryOn(long, sql, values);
    }
  }

  private isLongReader(): boolean {
    return (this.longReaders.get(chargedUser() ?? 0) ?? 0) > performance.now();
  }

  private noteLongRead(): void {
    const now = performance.now();
    for (const [userId, until] of this.longReaders) if (until <= now) this.longReaders.delete(userId);
    const userId = chargedUser();
    if (userId !== undefined) this.longReaders.set(userId, now + LONG_READER_MS);
  }

  private async queryOn<T extends RowDataPacket[]>(
    pool: Pool,
    sql: string,
    values: unknown[],
  ): Promise<[T, FieldPacket[]]> {
    throwIfCancelled();
    const connection = await pool.getConnection();
    const mark = `read ${randomBytes(8).toString('hex')}`;
    let interrupted: Promise<void> | undefined;
    const interrupt = () => {
      interrupted = this.interrupt(connection, mark);
    };
    const signal = cancellationSignal();
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      throwIfCancelled(); // it may have waited long for the connection
      return await connection.query<T>(`/* ${mark} */ ${sql}`, values);
    } catch (error) {
      throwIfCancelled();
      throw error;
    } finally {
      signal?.removeEventListener('abort', interrupt);
      if (interrupted) await interrupted.then(() => connection.destroy());
      else connection.release();
    }
  }

  async end(): Promise<void> {
    await Promise.all(Object.values(this.pools).map((pool: Pool) => pool.end()));
  }

  /**
   * Ends the statement, only if it still runs, and on this server: in a cluster another may have given the same number to
   * somebody else's connection. What is not ended here ends by its time limit.
   */
  private async interrupt({ threadId }: PoolConnection, mark: string): Promise<void> {
    const end = async () => {
      const [running] = await this.pools.interrupts.query<RowDataPacket[]>(
        'SELECT id FROM information_schema.processlist WHERE id = ? AND info LIKE ?',
        [threadId, `%${mark}%`],
      );
      if (running.length > 0) await this.pools.interrupts.query('KILL QUERY ?', [threadId]);
    };
    await withTimeout(INTERRUPT_MS, end()).catch(() => undefined);
  }
}

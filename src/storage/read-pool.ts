import { randomBytes } from 'node:crypto';
import type { FieldPacket, Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { LruCache } from '../platform/lru-cache';
import { withTimeout } from '../platform/with-timeout';
import { cancellationSignal, chargedUser, throwIfCancelled } from './cancellation';
import { LONG_READER_MS, LONG_READERS } from './knobs';
import { isOverTime } from './mysql-errors';

/** Reads one statement at a time: any of the pools. */
export interface Reader {
  query<T extends RowDataPacket[]>(sql: string, values?: unknown[]): Promise<[T, FieldPacket[]]>;
}

const INTERRUPT_MS = 2_000;

/** Pools whose connections limit the time of their statements. */
export interface ReadPools {
  /** For statements that end within a moment. */
  short: Pool;
  /** For the rest. */
  long: Pool;
  /** Other connections of the same MySQL user, which end statements. */
  interrupts: Pool;
}

/**
 * Runs reads that may take long. Each statement first gets a moment on the connections for short ones. So these are
 * never occupied for long, however many users run wide reads. A cancelled statement is also ended in MySQL.
 */
export class ReadPool implements Reader {
  /** Users with a long statement, and until when that counts. */
  private readonly longReaders = new LruCache<number, number>(LONG_READERS);

  constructor(private readonly pools: ReadPools) {}

  /** The pools by length of their reads; for measurements. */
  get byLength(): Readonly<Record<'short' | 'long', Pool>> {
    const { short, long } = this.pools;
    return { short, long };
  }

  /** Returns the rows. Throws the reason of `runCancellable`'s signal if the work is aborted. */
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
    return (this.longReaders.find(chargedUser() ?? 0) ?? 0) > performance.now();
  }

  private noteLongRead(): void {
    const userId = chargedUser();
    if (userId !== undefined) this.longReaders.set(userId, performance.now() + LONG_READER_MS);
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
   * Ends the statement only if it still runs on this server: in a cluster, another server may use the same connection
   * number for another connection. A statement that is not ended here ends by its time limit.
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

import { randomBytes } from 'node:crypto';
import type { FieldPacket, Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { LruCache } from '../platform/lru-cache';
import { withTimeout } from '../platform/with-timeout';
import { cancellationSignal, chargedUser, throwIfCancelled } from './cancellation';
import { LONG_READER_MS, LONG_READERS } from './knobs';
import { isOverTime } from './mysql-errors';

export interface Reader {
  query<T extends RowDataPacket[]>(sql: string, values?: unknown[]): Promise<[T, FieldPacket[]]>;
}

const INTERRUPT_MS = 2_000;

/** Connections with time limits for statements. */
export interface ReadPools {
  short: Pool;
  long: Pool;
  /** Connections of the same MySQL user, which end statements. */
  interrupts: Pool;
}

/**
 * Statements first get a moment on the connections for short ones, so wide reads never occupy these for long. A
 * cancelled statement ends in MySQL as well.
 */
export class ReadPool implements Reader {
  private readonly longReaders = new LruCache<number, number>(LONG_READERS);

  constructor(private readonly pools: ReadPools) {}

  get byLength(): Readonly<Record<'short' | 'long', Pool>> {
    const { short, long } = this.pools;
    return { short, long };
  }

  async query<T extends RowDataPacket[]>(sql: string, values: unknown[] = []): Promise<[T, FieldPacket[]]> {
    const { short, long } = this.pools;
    if (this.isLongReader()) return this.queryOn(long, sql, values);
    try {
      return await this.queryOn<T>(short, sql, values);
    } catch (error) {
      if (!isOverTime(error)) throw error;
      this.recordLongRead();
      return this.queryOn(long, sql, values);
    }
  }

  private isLongReader(): boolean {
    return (this.longReaders.find(chargedUser() ?? 0) ?? 0) > performance.now();
  }

  private recordLongRead(): void {
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
      throwIfCancelled(); // the wait for the connection may have been long
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
   * Ends the statement if it runs on this server: elsewhere in a cluster its connection number may be another
   * connection.
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

import { randomBytes } from 'node:crypto';
import type { FieldPacket, Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { withTimeout } from '../with-timeout';
import { requireWanted, wantedSignal } from './wanted';

/** What reads one statement at a time: any of the pools. */
export interface Reader {
  query<T extends RowDataPacket[]>(sql: string, values?: unknown[]): Promise<[T, FieldPacket[]]>;
}

const INTERRUPT_MS = 2_000;

/** Runs what may take long to read. A statement that nobody waits for any more is ended in MySQL too. */
export class ReadPool implements Reader {
  /** `interrupts` are other connections of the same user. */
  constructor(
    private readonly pool: Pool,
    private readonly interrupts: Pool,
  ) {}

  /** The rows; throws the reason of `whileWanted`'s signal when the work is given up. */
  async query<T extends RowDataPacket[]>(sql: string, values: unknown[] = []): Promise<[T, FieldPacket[]]> {
    requireWanted();
    const connection = await this.pool.getConnection();
    const mark = `read ${randomBytes(8).toString('hex')}`;
    let interrupted: Promise<void> | undefined;
    const interrupt = () => {
      interrupted = this.interrupt(connection, mark);
    };
    const signal = wantedSignal();
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      requireWanted(); // it may have waited long for the connection
      return await connection.query<T>(`/* ${mark} */ ${sql}`, values);
    } catch (error) {
      requireWanted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', interrupt);
      if (interrupted) await interrupted.then(() => connection.destroy());
      else connection.release();
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.pool.end(), this.interrupts.end()]);
  }

  /**
   * Ends the statement, only if it still runs, and on this server: in a cluster another may have given the same number to
   * somebody else's connection. What is not ended here ends by its time limit.
   */
  private async interrupt({ threadId }: PoolConnection, mark: string): Promise<void> {
    const end = async () => {
      const [running] = await this.interrupts.query<RowDataPacket[]>(
        'SELECT id FROM information_schema.processlist WHERE id = ? AND info LIKE ?',
        [threadId, `%${mark}%`],
      );
      if (running.length > 0) await this.interrupts.query('KILL QUERY ?', [threadId]);
    };
    await withTimeout(INTERRUPT_MS, end()).catch(() => undefined);
  }
}

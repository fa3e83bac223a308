import type { Pool, PoolConnection } from 'mysql2/promise';

const TRIES = 5;
const PASSING = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);
/** What MySQL says on its way out, or when it has no room. */
const GOING = new Set(['ER_SERVER_SHUTDOWN', 'ER_CON_COUNT_ERROR', 'ER_QUERY_INTERRUPTED', 'ER_CONNECTION_KILLED']);

/** Runs `work` in one READ COMMITTED transaction; a deadlock's victim is run again, from the start, a few times. */
export async function withRetry<T>(pool: Pool, work: (connection: PoolConnection) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const connection = await pool.getConnection();
    try {
      await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await connection.beginTransaction();
      const result = await work(connection);
      await connection.commit();
      connection.release();
      return result;
    } catch (error) {
      // A connection whose rollback fails is broken: it must not go back to the pool.
      await connection.rollback().then(
        () => connection.release(),
        () => connection.destroy(),
      );
      if (attempt >= TRIES || !isPassing(error)) throw error;
    }
  }
}

/**
 * Whether the work itself is at fault, so that the same work would fail again: MySQL refused what it was told, or our
 * own code failed. Not so when MySQL is away, goes away or is busy.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return true;
  return 'sqlState' in error && !isPassing(error) && !GOING.has(String(error.code));
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && PASSING.has(error.code);
}

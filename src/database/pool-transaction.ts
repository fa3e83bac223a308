import type { Pool, PoolConnection } from 'mysql2/promise';

/** How often a transaction is tried that others stand in the way of. */
export const TRIES = 5;
const PASSING = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);
/** What MySQL says on its way out, or when it has no room. */
const GOING = new Set([
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/**
 * Runs `work` in one READ COMMITTED transaction of the plain pool. The victim of a deadlock, or of a lock held for too
 * long, is run again from the start, a few times.
 */
export async function inPoolTransaction<T>(pool: Pool, work: (connection: PoolConnection) => Promise<T>): Promise<T> {
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
      if (attempt >= TRIES || !isTransient(error)) throw error;
    }
  }
}

/**
 * Whether the work itself is at fault, so that the same work would fail again: MySQL refused what it was told, or our
 * own code failed. Not so when MySQL is away, goes away or is busy.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if ('parent' in error && error.parent !== error) return isPermanent(error.parent);
  // The driver's own error, about a connection that is closed.
  if ('fatal' in error && error.fatal === true && !('sqlState' in error)) return false;
  if (!('code' in error)) return true;
  return 'sqlState' in error && !isTransient(error) && !GOING.has(String(error.code));
}

/** Whether others stood in the way, for a moment. Sequelize wraps the driver's error, which knows the code, as `parent`. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && PASSING.has(String(error.code))) return true;
  return 'parent' in error && error.parent !== error && isTransient(error.parent);
}

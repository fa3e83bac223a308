import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { type LOCK, type Sequelize, Transaction } from 'sequelize';
import { isTransient } from './mysql-errors';

/** How often a transaction is tried that others stand in the way of. */
const MAX_TRIES = 5;

/** Runs one statement in the transaction of its caller, and returns its rows. */
export type RunSql = (sql: string, values: unknown[]) => Promise<readonly Record<string, unknown>[]>;

/**
 * Runs `work` in one READ COMMITTED transaction of the plain pool. The victim of a deadlock, or of a lock held for too
 * long, is run again from the start, a few times, unless `mayRetry`
 * says no: so `work` keeps nothing from one run to the next, and enqueues nothing.
 */
export function inPoolTransaction<T>(
  pool: Pool,
  work: (connection: PoolConnection) => Promise<T>,
  mayRetry: (error: unknown) => boolean = () => true,
): Promise<T> {
  return retryTransient(async () => {
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
      throw error;
    }
  }, mayRetry);
}

/** The same for models: runs `work` in one READ COMMITTED transaction, again when others stood in the way. */
export function inTransaction<T>(sequelize: Sequelize, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const isolationLevel = Transaction.ISOLATION_LEVELS.READ_COMMITTED;
  return retryTransient(
    () => sequelize.transaction({ isolationLevel }, work),
    () => true,
  );
}

/** Statements on the plain pool, or in a transaction of it. */
export function runOn(connection: Pick<Pool, 'query'>): RunSql {
  return async (sql, values) => {
    const [rows] = await connection.query<RowDataPacket[]>(sql, values);
    return rows;
  };
}

async function retryTransient<T>(run: () => Promise<T>, mayRetry: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= MAX_TRIES || !isTransient(error) || !mayRetry(error)) throw error;
    }
  }
}

/** A lock on the rows that a query of a model reads, until the end of the transaction. */
export interface RowLock {
  transaction: Transaction;
  lock: LOCK;
}

/** Locks rows against every other lock: nobody else changes or deletes them. */
export function forUpdate(transaction: Transaction): RowLock {
  return { transaction, lock: transaction.LOCK.UPDATE };
}

/** Locks rows against changes and deletion; others may share the lock. */
export function forShare(transaction: Transaction): RowLock {
  return { transaction, lock: transaction.LOCK.SHARE };
}

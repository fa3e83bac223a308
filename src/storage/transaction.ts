import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { type LOCK, Sequelize, Transaction } from 'sequelize';
import { FIRST_PAUSE_MS, MAX_TRIES } from './knobs';
import { isTransient } from './mysql-errors';
import { StatementPipeline, type TransactionConnection } from './pipeline';
import type { Reader } from './read-pool';

export type RunSql = (sql: string, values: unknown[]) => Promise<readonly Record<string, unknown>[]>;

/**
 * Statements issued without awaiting each other are pipelined, maybe with the `commit`. Retries from the start after a
 * deadlock or lock timeout, unless `mayRetry` is false: `work` must keep nothing between runs, and must not enqueue
 * jobs.
 */
export function inPoolTransaction<T>(
  pool: Pool,
  work: (connection: TransactionConnection) => Promise<T>,
  mayRetry: (error: unknown) => boolean = () => true,
): Promise<T> {
  return retryTransient(async () => {
    const connection = await pool.getConnection();
    const pipeline = new StatementPipeline(connection);
    try {
      pipeline.begin();
      const result = await work(pipeline.asConnection);
      await doLastWork(pipeline.asConnection);
      await pipeline.commit();
      connection.release();
      return result;
    } catch (error) {
      // A connection whose rollback fails is broken and must not return to the pool.
      await pipeline.rollback().then(
        () => connection.release(),
        () => connection.destroy(),
      );
      throw error;
    }
  }, mayRetry);
}

const lastWorks = new WeakMap<object, () => Promise<void>>();

/** Runs `work` once, as the last of the transaction. Replaces an earlier one. */
export function beforeCommit(transaction: Transaction | TransactionConnection, work: () => Promise<void>): void {
  lastWorks.set(transaction, work);
}

export function hasLastWork(transaction: TransactionConnection): boolean {
  return lastWorks.has(transaction);
}

/** For work that ends its transaction itself, before it does. */
export async function doLastWork(transaction: Transaction | TransactionConnection): Promise<void> {
  const work = lastWorks.get(transaction);
  lastWorks.delete(transaction);
  await work?.();
}

const shared = new AsyncLocalStorage<Transaction>();
// Models ask for the transaction of the current work, unless they are given one.
Sequelize.useCLS({
  run: (work: (context: object) => unknown) => work({}),
  bind: (work: unknown) => work,
  get: () => shared.getStore(),
  set: () => undefined,
});

/** All transactions within `work` are this one; reads of models see it as well. What follows a commit must wait. */
export function shareTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  return shared.run(transaction, work);
}

/** Undefined outside of `shareTransaction`. */
export function sharedTransaction(): Transaction | undefined {
  return shared.getStore();
}

/** Does the same as `inPoolTransaction`, for models. */
export function inTransaction<T>(sequelize: Sequelize, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const outer = shared.getStore();
  if (outer) return work(outer);
  const isolationLevel = Transaction.ISOLATION_LEVELS.READ_COMMITTED;
  return retryTransient(
    () =>
      sequelize.transaction({ isolationLevel }, async (transaction) => {
        const result = await work(transaction);
        await doLastWork(transaction);
        return result;
      }),
    () => true,
  );
}

export function runOn(connection: Reader): RunSql {
  return async (sql, values) => {
    const [rows] = await connection.query<RowDataPacket[]>(sql, values);
    return rows;
  };
}

/** Runs statements in a transaction of the models. */
export function runIn(sequelize: Sequelize, transaction: Transaction): RunSql {
  return async (sql, values) => {
    const [rows] = await sequelize.query(sql, { replacements: values, transaction });
    return (Array.isArray(rows) ? rows : []) as Record<string, unknown>[]; // rows, or the id that an INSERT returns
  };
}

async function retryTransient<T>(run: () => Promise<T>, mayRetry: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= MAX_TRIES || !isTransient(error) || !mayRetry(error)) throw error;
      // A random pause, so that transactions that collided do not collide again.
      await pause(Math.ceil(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

/** Lasts until the end of the transaction. */
export interface RowLock {
  transaction: Transaction;
  lock: LOCK;
}

/** No other transaction can lock, change or delete the rows. */
export function forUpdate(transaction: Transaction): RowLock {
  return { transaction, lock: transaction.LOCK.UPDATE };
}

/** Against changes and deletion. Other transactions may share the lock. */
export function forShare(transaction: Transaction): RowLock {
  return { transaction, lock: transaction.LOCK.SHARE };
}

/** By the global timer, which simulations replace. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { BaseError, type Sequelize, Transaction } from 'sequelize';

const TRIES = 5;
const PASSING: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);

/**
 * Runs `work` in one READ COMMITTED transaction. The victim of a deadlock, or of a lock held for too long, is run
 * again from the start, a few times: so `work` keeps nothing from one run to the next, and rings no bell.
 */
export async function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.READ_COMMITTED }, work);
    } catch (error) {
      if (attempt >= TRIES || !isPassing(error)) throw error;
    }
  }
}

/** Sequelize wraps the driver's error, which knows the code, as `parent`. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof BaseError) || !('parent' in error)) return false;
  const { parent } = error;
  return parent instanceof Error && 'code' in parent && PASSING.has(parent.code);
}

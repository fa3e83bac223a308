import { type Sequelize, Transaction } from 'sequelize';
import { isTransient, TRIES } from './pool-transaction';

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
      if (attempt >= TRIES || !isTransient(error)) throw error;
    }
  }
}

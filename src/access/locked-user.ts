import type { Transaction } from 'sequelize';
import { NotFound } from '../platform/errors';
import { User } from '../storage/models/user.model';
import { forUpdate } from '../storage/transaction';

/** So requests count each other's things. Throws NotFound for a closed account. */
export async function lockUser(id: number, transaction: Transaction): Promise<void> {
  const user = await User.findOne({ where: { id, closedMs: null }, attributes: ['id'], ...forUpdate(transaction) });
  if (!user) throw new NotFound('the user');
}

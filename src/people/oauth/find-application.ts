import type { Transaction } from 'sequelize';
import { Application } from '../../storage/models/application.model';
import { User } from '../../storage/models/user.model';

/** Takes an id or a key. Null if the application or its owner's account was deleted or disabled. */
export async function findApplication(
  by: { id: number } | { consumerKey: string },
  transaction?: Transaction,
): Promise<Application | null> {
  const application = await Application.findOne({ where: { ...by, closedMs: null }, transaction });
  if (!application) return null;
  const where = { id: application.ownerId, closedMs: null, disabledMs: null };
  return (await User.findOne({ where, attributes: ['id'], transaction })) ? application : null;
}

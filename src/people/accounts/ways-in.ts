import type { Transaction } from 'sequelize';
import { Conflict } from '../../platform/errors';
import { Identity } from '../../storage/models/identity.model';
import { Passkey } from '../../storage/models/passkey.model';
import type { User } from '../../storage/models/user.model';

/** Call after a way to log in is removed, with the user's row locked. Throws Conflict if none is left. */
export async function requireWayIn({ id, passwordHash }: User, transaction: Transaction): Promise<void> {
  if (passwordHash !== '') return;
  const where = { userId: id };
  const identities = await Identity.count({ where, transaction });
  if (identities + (await Passkey.count({ where, transaction })) > 0) return;
  throw new Conflict('this is the only way to log in to this account: choose a password first');
}

import type { Transaction } from 'sequelize';
import type { Identity } from '../../platform/caller';
import { Unauthorized } from '../../platform/errors';
import { Session } from '../../storage/models/session.model';
import { forShare } from '../../storage/transaction';

/**
 * Call before changes of the ways to log in, with the user's row locked: a new password ends credentials under that
 * lock, and a request that waited must not add one. Throws Unauthorized if the session has ended.
 */
export async function requireLiveSession(
  { userId, credential }: Pick<Identity, 'userId' | 'credential'>,
  transaction: Transaction,
): Promise<void> {
  const where = { id: credential.id, userId };
  const isLive =
    credential.kind === 'session' &&
    (await Session.findOne({ where, attributes: ['id'], ...forShare(transaction) })) !== null;
  if (!isLive) throw new Unauthorized('the session is unknown or has expired');
}

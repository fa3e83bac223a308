import type { Transaction } from 'sequelize';
import type { Identity } from '../../platform/caller';
import { Unauthorized } from '../../platform/errors';
import { Session } from '../../storage/models/session.model';
import { forShare } from '../../storage/transaction';

/**
 * Throws Unauthorized if the session of a request has ended since the request was admitted. Every change of the ways to
 * log in calls this with the user's row locked: a new password ends sessions, keys and permissions under that lock, and
 * a request that waited for it must not add another way to log in, or undo the change.
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

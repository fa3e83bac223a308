import type { RunSql } from '../storage/transaction';

/**
 * True if the account of a link is open now. Every token in a link that acts for an account asks this, and answers as
 * for a dead link if not. Recipients of mails decide for themselves: their links to confirm and unsubscribe do not ask.
 */
export async function isOwnerOpen(run: RunSql, ownerId: number): Promise<boolean> {
  const [user] = await run('SELECT id FROM users WHERE id = ? AND closed_ms IS NULL AND disabled_ms IS NULL', [
    ownerId,
  ]);
  return user !== undefined;
}

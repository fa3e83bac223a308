import type { RunSql } from '../storage/transaction';

/**
 * Every token in a link that acts for an account asks this, and answers as for a dead link if not. Mail recipients
 * decide for themselves: links to confirm and unsubscribe do not ask.
 */
export async function isOwnerOpen(run: RunSql, ownerId: number): Promise<boolean> {
  const [user] = await run('SELECT id FROM users WHERE id = ? AND closed_ms IS NULL AND disabled_ms IS NULL', [
    ownerId,
  ]);
  return user !== undefined;
}

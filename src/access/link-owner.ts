import type { RunSql } from '../storage/transaction';

/** Call for every link that acts for an account, and answer as for a dead one. */
export async function isOwnerOpen(run: RunSql, ownerId: number): Promise<boolean> {
  const [user] = await run('SELECT id FROM users WHERE id = ? AND closed_ms IS NULL AND disabled_ms IS NULL', [
    ownerId,
  ]);
  return user !== undefined;
}

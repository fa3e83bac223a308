import type { Pool, RowDataPacket } from 'mysql2/promise';
import { usernameKey, usernameLooks } from './account';

const PER_STATEMENT = 500;

/** Spelling and appearance, both unique. */
export function keysOf(username: string) {
  return { usernameKey: usernameKey(username), usernameLooks: usernameLooks(username) };
}

/**
 * Fills the appearance of usernames from before it was compared. Of names that look alike, the oldest gets it; none
 * changes. Safe in several processes, and repeatable. At most 500 accounts per round.
 */
export async function fillUsernameLooks(pool: Pool, rounds = Number.POSITIVE_INFINITY): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const [users] = await pool.query<(RowDataPacket & { id: number; username: string })[]>(
      'SELECT id, username FROM users WHERE username_looks IS NULL ORDER BY id LIMIT ?',
      [PER_STATEMENT],
    );
    if (users.length === 0) return;
    const ids = users.map(({ id }) => id);
    const cases = users.map(() => 'WHEN ? THEN ?').join(' ');
    const values = users.flatMap(({ id, username }) => [id, usernameLooks(username)]);
    // IGNORE skips names whose appearance is taken.
    await pool.query(
      `UPDATE IGNORE users SET username_looks = CASE id ${cases} END WHERE id IN (?) AND username_looks IS NULL`,
      [...values, ids],
    );
    await pool.query(
      "UPDATE users SET username_looks = CONCAT('like-', id) WHERE id IN (?) AND username_looks IS NULL",
      [ids],
    );
  }
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { EventShare } from '../../jobs/event.job';

/** Maximum number of users whose events one transaction dispatches. */
const USERS_AT_ONCE = 20;
/** Maximum number of users of any share that are read to find them. */
const MOST_LOOKS = 1_000;

/**
 * Serves the users of a share with waiting events round-robin, so that a user who causes more events than the platform
 * can dispatch delays only their own. The position is not stored, because after a restart any user may be first.
 */
export class EventRotation {
  private lastUserId = 0;

  constructor(
    private readonly pool: Pool,
    private readonly share: EventShare,
  ) {}

  /** The next users of the share with waiting events. */
  async nextUsers(): Promise<number[]> {
    const afterId = this.lastUserId;
    const users = await this.usersAfter(afterId, USERS_AT_ONCE);
    if (users.length === USERS_AT_ONCE || afterId === 0 || afterId !== this.lastUserId) return users;
    const others = await this.usersAfter(0, USERS_AT_ONCE - users.length);
    return [...users, ...others.filter((userId) => userId <= afterId)];
  }

  /** Ends a batch whose last event is of this user. The next batch starts with the following user. */
  endBatch(userId: number): void {
    this.lastUserId = userId;
  }

  /**
   * Reads one index entry for each user, however many events they have. For users of other shares, it reads at most one
   * entry before each id of its own share. If it finds no user because too many of these wait, the next call continues
   * behind them.
   */
  private async usersAfter(afterId: number, most: number): Promise<number[]> {
    const users: number[] = [];
    let last = afterId;
    for (let looks = 0; users.length < most && looks < MOST_LOOKS; looks += 1) {
      const [rows] = await this.pool.query<RowDataPacket[]>(
        'SELECT user_id AS userId FROM events WHERE retry_at_ms IS NULL AND user_id >= ? ORDER BY user_id LIMIT 1',
        [nextOfShare(last, this.share)],
      );
      if (!rows[0]) return users;
      last = Number(rows[0].userId);
      if (isOfShare(last, this.share)) users.push(last);
    }
    if (users.length === 0) this.lastUserId = last;
    return users;
  }
}

export function isOfShare(userId: number, { share, of }: EventShare): boolean {
  return userId % of === share;
}

/** The first id of the share after this one. */
export function nextOfShare(userId: number, { share, of }: EventShare): number {
  return userId + 1 + ((((share - userId - 1) % of) + of) % of);
}

import type { Pool, RowDataPacket } from 'mysql2/promise';

const QUERY = `SELECT s.id, s.token_hash, s.user_id, u.username
  FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash IN (?)`;
const MAX_BATCH = 500;

/** A session and its user, as every request needs them. */
export interface SessionIdentity {
  sessionId: number;
  userId: number;
  username: string;
}

interface SessionRow extends RowDataPacket {
  id: number;
  token_hash: string;
  user_id: number;
  username: string;
}

interface Waiting {
  found: (identity: SessionIdentity | null) => void;
  failed: (error: unknown) => void;
}

/**
 * Finds sessions by the hash of their id. Requests that arrive together share one indexed query, so that a look-up costs
 * little without a cache: a session that has ended is gone at once, in every process.
 */
export class SessionLookup {
  private waiting = new Map<string, Waiting[]>();

  constructor(private readonly pool: Pool) {}

  /** The session with this hash; null when there is none. */
  find(tokenHash: string): Promise<SessionIdentity | null> {
    return new Promise((found, failed) => {
      // setImmediate runs once everything was read that the sockets received in this turn of the event loop.
      if (this.waiting.size === 0) setImmediate(() => void this.flush());
      this.waiting.set(tokenHash, [...(this.waiting.get(tokenHash) ?? []), { found, failed }]);
    });
  }

  private async flush(): Promise<void> {
    const batch = [...this.waiting];
    this.waiting = new Map();
    const slices = Array.from({ length: Math.ceil(batch.length / MAX_BATCH) }, (_, i) =>
      batch.slice(i * MAX_BATCH, (i + 1) * MAX_BATCH),
    );
    await Promise.all(slices.map((slice) => this.findSlice(slice)));
  }

  private async findSlice(slice: [string, Waiting[]][]): Promise<void> {
    try {
      const [rows] = await this.pool.query<SessionRow[]>(QUERY, [slice.map(([tokenHash]) => tokenHash)]);
      const byHash = new Map(rows.map((row) => [row.token_hash, row]));
      for (const [tokenHash, waiting] of slice) {
        const row = byHash.get(tokenHash);
        const identity = row ? { sessionId: row.id, userId: row.user_id, username: row.username } : null;
        for (const one of waiting) one.found(identity);
      }
    } catch (error) {
      for (const [, waiting] of slice) for (const one of waiting) one.failed(error);
    }
  }
}

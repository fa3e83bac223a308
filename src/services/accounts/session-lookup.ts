import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../../caller';
import type { Clock } from '../../clock';

const QUERY = `SELECT s.id, s.token_hash, s.user_id, s.used_ms, u.username
  FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash IN (?)`;
const MAX_BATCH = 500;
const DAY_MS = 86_400_000;

interface SessionRow extends RowDataPacket {
  id: number;
  token_hash: string;
  user_id: number;
  username: string;
  used_ms: number;
}

interface Waiting {
  found: (identity: Identity | null) => void;
  failed: (error: unknown) => void;
}

/**
 * Finds sessions by the hash of their id. Requests that arrive together share one indexed query, so that a look-up costs
 * little without a cache: a session that has ended is gone at once, in every process.
 */
export class SessionLookup {
  private waiting = new Map<string, Waiting[]>();

  /** Sessions that were not used for `idleDays` have ended; with 0 none has. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly idleDays: number,
  ) {}

  /** The session with this hash; null when there is none. */
  find(tokenHash: string): Promise<Identity | null> {
    return new Promise((found, failed) => {
      // setImmediate runs once everything was read that the sockets received in this turn of the event loop.
      if (this.waiting.size === 0) setImmediate(() => void this.flush());
      const same = this.waiting.get(tokenHash);
      if (same) same.push({ found, failed });
      else this.waiting.set(tokenHash, [{ found, failed }]);
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
      const live = rows.filter((row) => !this.isIdle(row));
      const byHash = new Map(live.map((row) => [row.token_hash, row]));
      this.noteUse(live);
      for (const [tokenHash, waiting] of slice) {
        const row = byHash.get(tokenHash);
        const identity = row ? toIdentity(row) : null;
        for (const one of waiting) one.found(identity);
      }
    } catch (error) {
      for (const [, waiting] of slice) for (const one of waiting) one.failed(error);
    }
  }

  private isIdle({ used_ms }: SessionRow): boolean {
    return this.idleDays > 0 && this.clock.now() - used_ms > this.idleDays * DAY_MS;
  }

  /** Once a day for each session, and without anybody waiting for it: it counts in days. */
  private noteUse(rows: readonly SessionRow[]): void {
    const nowMs = this.clock.now();
    const ids = rows.filter(({ used_ms }) => nowMs - used_ms > DAY_MS).map(({ id }) => id);
    if (ids.length === 0) return;
    this.pool.query('UPDATE sessions SET used_ms = ? WHERE id IN (?)', [nowMs, ids]).catch(() => undefined);
  }
}

function toIdentity({ id, user_id: userId, username }: SessionRow): Identity {
  return { userId, username, credential: { kind: 'session', id } };
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { HashLookup } from './hash-lookup';
import { IdentityCache } from './identity-cache';

const QUERY = `SELECT s.id, s.token_hash, s.user_id, s.used_ms, u.username
  FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash IN (?)`;
const DAY_MS = 86_400_000;
/** Accuracy of the recorded latest use. */
const USED_MS = 3_600_000;

interface SessionRow extends RowDataPacket {
  id: number;
  token_hash: string;
  user_id: number;
  username: string;
  used_ms: number;
}

/** Finds sessions by the hash of their id. */
export class SessionLookup {
  private readonly lookup = new HashLookup((hashes) => this.read(hashes));
  private readonly cache: IdentityCache;

  /** Sessions that were not used for `idleDays` have ended; 0 disables this. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly idleDays: number,
  ) {
    this.cache = new IdentityCache(clock);
  }

  /** The session with this id; null when there is none. */
  async find(token: string): Promise<Identity | null> {
    const identity = await this.lookup.find(token);
    if (identity) this.cache.keep(token, identity);
    return identity;
  }

  /** The cached session with this id. */
  lookUp(token: string): Identity | undefined {
    return this.cache.lookUp(token);
  }

  private async read(hashes: readonly string[]): Promise<Map<string, Identity>> {
    const [rows] = await this.pool.query<SessionRow[]>(QUERY, [hashes]);
    const live = rows.filter((row) => !this.isIdle(row));
    this.noteUse(live);
    return new Map(live.map((row) => [row.token_hash, toIdentity(row)]));
  }

  private isIdle({ used_ms }: SessionRow): boolean {
    return this.idleDays > 0 && this.clock.now() - used_ms > this.idleDays * DAY_MS;
  }

  /** Records the use of sessions, once an hour for each, in the background. */
  private noteUse(rows: readonly SessionRow[]): void {
    const nowMs = this.clock.now();
    const ids = rows.filter(({ used_ms }) => nowMs - used_ms > USED_MS).map(({ id }) => id);
    if (ids.length === 0) return;
    this.pool.query('UPDATE sessions SET used_ms = ? WHERE id IN (?)', [nowMs, ids]).catch(() => undefined);
  }
}

function toIdentity({ id, user_id: userId, username }: SessionRow): Identity {
  return { userId, username, credential: { kind: 'session', id } };
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import { Batcher } from '../../platform/batcher';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { AccountDisabled } from '../../platform/errors';
import { LruCache } from '../../platform/lru-cache';
import { hashSecret } from '../../platform/secrets';

/** Maximum number of secrets in one query. */
const TOGETHER = { most: 500, atOnce: Number.POSITIVE_INFINITY };

/**
 * Reads what belongs to some hashes of secrets, by one statement. A hash that belongs to nothing is left out, and one of
 * a disabled account has the error.
 */
export type ReadByHashes<T> = (hashes: readonly string[]) => Promise<Map<string, T | AccountDisabled>>;

/**
 * Finds what belongs to a secret, by its hash. Requests that arrive together share one indexed query, so a look-up costs
 * little without a cache: what has ended is gone at once, in every process. Requests with the same secret, as a gateway
 * sends them, share its hash, which saves 2 of 50 µs. Secrets are compared by their hashes, in the index of the database,
 * so the time of an answer says nothing about them.
 */
export class HashLookup<T> {
  private readonly lookups: Batcher<string, T | AccountDisabled | null>;

  constructor(private readonly read: ReadByHashes<T>) {
    this.lookups = new Batcher((secrets: readonly string[]) => this.findAll(secrets), TOGETHER);
  }

  /** What belongs to this secret; null if nothing does. Throws AccountDisabled if its account is disabled. */
  async find(secret: string): Promise<T | null> {
    const found = await this.lookups.add(secret);
    if (found instanceof AccountDisabled) throw found;
    return found;
  }

  private async findAll(secrets: readonly string[]): Promise<(T | AccountDisabled | null)[]> {
    const hashes = new Map<string, string>();
    for (const secret of secrets) if (!hashes.has(secret)) hashes.set(secret, hashSecret(secret));
    const found = await this.read([...hashes.values()]);
    return secrets.map((secret) => found.get(hashes.get(secret) ?? '') ?? null);
  }
}

/** How long an identity is cached: less than the minute to which the latest use of a key is noted at its look-up. */
const CACHED_MS = 30_000;
/** Maximum number of cached identities, about 300 bytes each. */
const MOST = 20_000;

/**
 * Caches the identities that were looked up in the latest half minute, by their secrets. They may have ended since: what
 * acts on one checks in its own transaction that it has not (`requirePreconditions`), and only uploads do.
 */
export class IdentityCache {
  private readonly cache = new LruCache<string, { identity: Identity; sinceMs: number }>(MOST);

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  lookUp(secret: string): Identity | undefined {
    const found = this.cache.find(secret);
    if (!found) return undefined;
    const nowMs = this.clock.now();
    const ageMs = nowMs - found.sinceMs;
    const { expiresMs = Number.POSITIVE_INFINITY } = found.identity.credential;
    return ageMs >= 0 && ageMs < CACHED_MS && nowMs < expiresMs ? found.identity : undefined;
  }

  keep(secret: string, identity: Identity): void {
    this.cache.set(secret, { identity: { ...identity, isCached: true }, sinceMs: this.clock.now() });
  }
}

const QUERY = `SELECT s.id, s.token_hash, s.user_id, s.used_ms, u.username, u.disabled_ms
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
  disabled_ms: number | null;
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

  /** The session with this id; null when there is none. Throws AccountDisabled if its account is disabled. */
  async find(token: string): Promise<Identity | null> {
    const identity = await this.lookup.find(token);
    if (identity) this.cache.keep(token, identity);
    return identity;
  }

  /** The cached session with this id. */
  lookUp(token: string): Identity | undefined {
    return this.cache.lookUp(token);
  }

  private async read(hashes: readonly string[]): Promise<Map<string, Identity | AccountDisabled>> {
    const [rows] = await this.pool.query<SessionRow[]>(QUERY, [hashes]);
    const live = rows.filter((row) => !this.isIdle(row));
    this.noteUse(live.filter(({ disabled_ms }) => disabled_ms === null));
    return new Map(live.map((row) => [row.token_hash, unlessDisabled(row, toIdentity)]));
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

/** What a row becomes; the error if its account is disabled. */
export function unlessDisabled<Row extends { disabled_ms: number | null }, T>(
  row: Row,
  read: (row: Row) => T,
): T | AccountDisabled {
  return row.disabled_ms === null ? read(row) : new AccountDisabled();
}

function toIdentity({ id, user_id: userId, username }: SessionRow): Identity {
  return { userId, username, credential: { kind: 'session', id } };
}

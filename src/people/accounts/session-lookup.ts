import type { Pool, RowDataPacket } from 'mysql2/promise';
import { Batcher } from '../../platform/batcher';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { Config } from '../../platform/config';
import { AccountDisabled } from '../../platform/errors';
import { LruCache } from '../../platform/lru-cache';
import { hashSecret } from '../../platform/secrets';

const TOGETHER = { most: 500, atOnce: Number.POSITIVE_INFINITY };

/** One statement. Leaves out hashes without a row; disabled accounts have the error. */
export type ReadByHashes<T> = (hashes: readonly string[]) => Promise<Map<string, T | AccountDisabled>>;

/**
 * Requests that arrive together share an indexed query, so what has ended is gone at once. Requests with one secret
 * share its hash (2 of 50 µs). The index compares hashes, so the time of an answer reveals nothing.
 */
export class HashLookup<T> {
  private readonly lookups: Batcher<string, T | AccountDisabled | null>;

  constructor(private readonly read: ReadByHashes<T>) {
    this.lookups = new Batcher((secrets: readonly string[]) => this.findAll(secrets), TOGETHER);
  }

  /** Null if there is nothing. Throws AccountDisabled. */
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

/** Less than the minute to which the latest use of a key is recorded at its look-up. */
const CACHED_MS = 30_000;
const MOST = 20_000;

/** Identities may have ended: only uploads use them, and check in their own transaction (`requirePreconditions`). */
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

  set(secret: string, identity: Identity): void {
    this.cache.set(secret, { identity: { ...identity, isCached: true }, sinceMs: this.clock.now() });
  }
}

const LACKS_FACTOR = `NOT EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id AND t.confirmed_ms IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id)`;

/** The provider of the present settings, if it vouches for second factors. */
const LACKS_IDENTITY = 'NOT EXISTS (SELECT 1 FROM identities i WHERE i.id = s.identity_id AND i.issuer = ?)';

export type FactorSettings = Pick<Config, 'needFactors' | 'oidc'>;

/** The statement, and its values before the hashes. Without a look at the factors of those who need none. */
function queryFor({ needFactors: required, oidc }: FactorSettings): { sql: string; values: string[] } {
  const values = oidc?.isSecondFactor && required.length > 0 ? [oidc.issuer] : [];
  const conditions = [
    ...(required === 'all' ? [] : [required.length === 0 ? '0' : `u.id IN (${required.join()})`]),
    ...(required.length === 0 ? [] : [LACKS_FACTOR]),
    ...values.map(() => LACKS_IDENTITY),
  ];
  const sql = `SELECT s.id, s.token_hash, s.user_id, s.used_ms, u.username, u.disabled_ms,
    (${conditions.join(' AND ')}) AS lacks_factor
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash IN (?)`;
  return { sql, values };
}

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
  lacks_factor: number;
}

export class SessionLookup {
  private readonly lookup = new HashLookup((hashes) => this.read(hashes));
  private readonly cache: IdentityCache;
  private readonly query: ReturnType<typeof queryFor>;
  private readonly idleDays: number;

  /** Sessions end unused after `sessionIdleDays`; 0 disables this. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    config: Pick<Config, 'sessionIdleDays'> & FactorSettings,
  ) {
    this.idleDays = config.sessionIdleDays;
    this.query = queryFor(config);
    this.cache = new IdentityCache(clock);
  }

  /** Null if there is none. Throws AccountDisabled. */
  async find(token: string): Promise<Identity | null> {
    const identity = await this.lookup.find(token);
    if (identity) this.cache.set(token, identity);
    return identity;
  }

  lookUp(token: string): Identity | undefined {
    return this.cache.lookUp(token);
  }

  private async read(hashes: readonly string[]): Promise<Map<string, Identity | AccountDisabled>> {
    const { sql, values } = this.query;
    const [rows] = await this.pool.query<SessionRow[]>(sql, [...values, hashes]);
    const live = rows.filter((row) => !this.isIdle(row));
    this.recordUse(live.filter(({ disabled_ms }) => disabled_ms === null));
    return new Map(live.map((row) => [row.token_hash, unlessDisabled(row, toIdentity)]));
  }

  private isIdle({ used_ms }: SessionRow): boolean {
    return this.idleDays > 0 && this.clock.now() - used_ms > this.idleDays * DAY_MS;
  }

  /** Records the use once an hour for each session, in the background. */
  private recordUse(rows: readonly SessionRow[]): void {
    const nowMs = this.clock.now();
    const ids = rows.filter(({ used_ms }) => nowMs - used_ms > USED_MS).map(({ id }) => id);
    if (ids.length === 0) return;
    this.pool.query('UPDATE sessions SET used_ms = ? WHERE id IN (?)', [nowMs, ids]).catch(() => undefined);
  }
}

/** Returns the error if the account is disabled. */
export function unlessDisabled<Row extends { disabled_ms: number | null }, T>(
  row: Row,
  read: (row: Row) => T,
): T | AccountDisabled {
  return row.disabled_ms === null ? read(row) : new AccountDisabled();
}

function toIdentity({ id, user_id: userId, username, lacks_factor: lacks }: SessionRow): Identity {
  const limit = lacks ? ({ lacksFactor: true } as const) : {};
  return { userId, username, credential: { kind: 'session', id, ...limit } };
}

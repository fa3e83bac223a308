import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { AccountDisabled } from '../../platform/errors';
import { readScopes } from '../../platform/scopes';
import { HashLookup, IdentityCache, unlessDisabled } from './session-lookup';

const QUERY = `SELECT k.id, k.secret_hash, k.owner_id, k.scopes, k.sensors, k.create_limit, k.expires_ms, k.used_ms, u.username, u.disabled_ms
  FROM api_keys k JOIN users u ON u.id = k.owner_id WHERE k.secret_hash IN (?) AND u.closed_ms IS NULL`;
const NOTE = 'UPDATE api_keys SET used_ms = ? WHERE id IN (?) AND (used_ms IS NULL OR used_ms <= ?)';
/** Accuracy of the recorded latest use. */
const USED_MS = 60_000;
/** An upload with a cached key compares the sensors. */
const MOST_SENSORS = 50;

interface KeyRow extends RowDataPacket {
  id: number;
  secret_hash: string;
  owner_id: number;
  username: string;
  scopes: string;
  sensors: string | null;
  create_limit: number | null;
  expires_ms: number | null;
  used_ms: number | null;
  disabled_ms: number | null;
}

export class KeyLookup {
  private readonly lookup = new HashLookup((hashes) => this.read(hashes));
  private readonly cache: IdentityCache;
  /** Without this set every request would try to record its key's use. */
  private readonly noting = new Set<number>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    this.cache = new IdentityCache(clock);
  }

  /** Null if there is none or it has expired. Throws AccountDisabled. */
  async find(secret: string): Promise<Identity | null> {
    const identity = await this.lookup.find(secret);
    if (identity && (identity.credential.sensors?.size ?? 0) <= MOST_SENSORS) this.cache.set(secret, identity);
    return identity;
  }

  /** Keys are cached if they reach all sensors, or a few. */
  lookUp(secret: string): Identity | undefined {
    return this.cache.lookUp(secret);
  }

  private async read(hashes: readonly string[]): Promise<Map<string, Identity | AccountDisabled>> {
    const [rows] = await this.pool.query<KeyRow[]>(QUERY, [hashes]);
    const nowMs = this.clock.now();
    const live = rows.filter(({ expires_ms }) => expires_ms === null || expires_ms > nowMs);
    this.recordUse(
      live.filter(({ disabled_ms }) => disabled_ms === null),
      nowMs,
    );
    return new Map(live.map((row) => [row.secret_hash, unlessDisabled(row, toIdentity)]));
  }

  private recordUse(rows: readonly KeyRow[], nowMs: number): void {
    const isOld = ({ id, used_ms }: KeyRow) => (used_ms === null || nowMs - used_ms >= USED_MS) && !this.noting.has(id);
    const ids = rows.filter(isOld).map(({ id }) => id);
    if (ids.length === 0) return;
    for (const id of ids) this.noting.add(id);
    this.pool
      .query(NOTE, [nowMs, ids.sort((a, b) => a - b), nowMs - USED_MS])
      .catch(() => undefined) // the next use is recorded
      .finally(() => {
        for (const id of ids) this.noting.delete(id);
      });
  }
}

function toIdentity({ id, owner_id: userId, username, scopes, sensors, create_limit, expires_ms }: KeyRow): Identity {
  const limits = {
    ...(create_limit !== null && { createLimit: create_limit }),
    ...(sensors !== null && { sensors: new Set<number>(JSON.parse(sensors)) }),
    ...(expires_ms !== null && { expiresMs: Number(expires_ms) }),
  };
  return { userId, username, credential: { kind: 'key', id, scopes: readScopes(scopes), ...limits } };
}

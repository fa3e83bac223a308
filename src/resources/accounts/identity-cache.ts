import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { LruCache } from '../../rules/lru-cache';

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

import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';

/**
 * How long an identity is cached. Less than the minute at which the latest use of a key is recorded, because a look-up
 * records it.
 */
const REMEMBERED_MS = 30_000;
/** Maximum number of entries, of about 300 bytes each. Beyond it the oldest are dropped. */
const MOST = 10_000;

/**
 * Caches the identities of the latest half minute, by their secrets. An entry may be stale: an action on one must check
 * in its own transaction that the identity has not ended (`requirePreconditions`). Only uploads use this cache.
 */
export class IdentityCache {
  private readonly known = new Map<string, { identity: Identity; sinceMs: number }>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  lookUp(secret: string): Identity | undefined {
    const found = this.known.get(secret);
    if (!found) return undefined;
    const nowMs = this.clock.now();
    const ageMs = nowMs - found.sinceMs;
    const { expiresMs = Number.POSITIVE_INFINITY } = found.identity.credential;
    if (ageMs >= 0 && ageMs < REMEMBERED_MS && nowMs < expiresMs) return found.identity;
    this.known.delete(secret);
    return undefined;
  }

  keep(secret: string, identity: Identity): void {
    this.known.delete(secret); // moves the entry to the end
    this.known.set(secret, { identity: { ...identity, isCached: true }, sinceMs: this.clock.now() });
    if (this.known.size <= MOST) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

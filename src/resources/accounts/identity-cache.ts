import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';

/** Less than the minute to which the latest use of a key is noted, because that is done when it is looked up. */
const REMEMBERED_MS = 30_000;
/** About 300 bytes each; with more the oldest are forgotten. */
const MOST = 10_000;

/**
 * Identities that were looked up in the latest half minute, by their secrets. They may have ended since: what acts on one checks in its
 * own transaction that it has not (`requirePreconditions`), and only uploads do.
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
    this.known.delete(secret); // so that it is the latest
    this.known.set(secret, { identity: { ...identity, isRemembered: true }, sinceMs: this.clock.now() });
    if (this.known.size <= MOST) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

import tls, { type SecureContext } from 'node:tls';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import { LruCache } from '../platform/lru-cache';

/** Maximum weight of the cached contexts, in characters, and the weight of one in addition to its certificates. */
const CACHED_CHARACTERS = 8_000_000;
const WEIGHT_OF_CONTEXT = 20_000;

/**
 * What connections to hosts of users trust: the authorities that Node trusts, the operator's own, and one that a user
 * has given for a receiver. Contexts are cached by certificate; a user is charged for making one.
 */
export class TlsContexts {
  private readonly common: SecureContext | undefined;
  private readonly cached = new LruCache<string, SecureContext>(
    CACHED_CHARACTERS,
    (certificate) => certificate.length + WEIGHT_OF_CONTEXT,
  );

  /** `authorities`: the operator's own, as PEM certificates. */
  constructor(
    private readonly authorities: readonly string[],
    private readonly shares: Pick<FairShareScheduler, 'now' | 'chargeTime'>,
  ) {
    this.common = authorities.length === 0 ? undefined : contextWith(authorities);
  }

  /**
   * The context for a host of a user with these PEM certificates of its authority, if any. Undefined means the
   * authorities that Node trusts. Throws for a text that is no certificate.
   */
  contextFor(ownerId: number, certificate: string | null): SecureContext | undefined {
    if (certificate === null) return this.common;
    return this.cached.get(certificate, () => {
      const started = this.shares.now();
      const made = contextWith([...this.authorities, certificate]);
      this.shares.chargeTime(ownerId, this.shares.now() - started);
      return made;
    });
  }
}

/**
 * A context that trusts these authorities in addition to those of Node. Adding them to Node's own store takes a
 * millisecond; the option `ca` would parse the 150 public certificates again, 50 ms and 1 MB each time.
 */
function contextWith(authorities: readonly string[]): SecureContext {
  const made = tls.createSecureContext();
  const { context }: { context: { addCACert(pem: string): void } } = made; // Node documents no type of it
  for (const pem of authorities) context.addCACert(pem);
  return made;
}

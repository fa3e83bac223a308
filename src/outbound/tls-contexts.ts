import tls, { type SecureContext } from 'node:tls';
import { LruCache } from '../platform/lru-cache';

/** All cached contexts; one besides its certificates. */
const CACHED_CHARACTERS = 8_000_000;
const WEIGHT_OF_CONTEXT = 20_000;

/** Where the computing time of an owner is charged, in ms. */
interface ComputingShares {
  now(): number;
  chargeTime(ownerId: number, ms: number): void;
}

/** Cached by certificate; the user is charged for making a context. */
export class TlsContexts {
  private readonly common: SecureContext | undefined;
  private readonly cached = new LruCache<string, SecureContext>(
    CACHED_CHARACTERS,
    (certificate) => certificate.length + WEIGHT_OF_CONTEXT,
  );

  /** `authorities`: the operator's, as PEM certificates. */
  constructor(
    private readonly authorities: readonly string[],
    private readonly shares: ComputingShares,
  ) {
    this.common = authorities.length === 0 ? undefined : contextWith(authorities);
  }

  /** Undefined means Node's authorities. Throws for a text that is no certificate. */
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
 * Adding to Node's own store takes a millisecond; the option `ca` would parse the 150 public certificates again, 50 ms
 * and 1 MB each time.
 */
function contextWith(authorities: readonly string[]): SecureContext {
  const made = tls.createSecureContext();
  const { context }: { context: { addCACert(pem: string): void } } = made; // Node documents no type for it
  for (const pem of authorities) context.addCACert(pem);
  return made;
}

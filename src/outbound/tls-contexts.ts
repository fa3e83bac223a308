import type { SecureContext } from 'node:tls';
import { trustWith } from './trusted-authorities';

/** Maximum number of contexts of all owners and of one. A context takes about 1 MB, and 20 ms or more to make. */
const MAX_CONTEXTS = 40;
const MAX_OF_OWNER = 5;

/** The TLS contexts of certificates that owners trust, so that a connection does not make its own. */
export class TlsContexts {
  /** The least recently used first. */
  private readonly contexts = new Map<string, { ownerId: number; context: SecureContext | undefined }>();

  /** `authorities` are PEM certificates that all owners trust in addition to those of Node. */
  constructor(private readonly authorities: readonly string[]) {}

  /**
   * The context that trusts a PEM certificate of the owner as well; `null` for none. Undefined means the context of
   * Node. The caller charges the owner for the time.
   */
  contextFor(ownerId: number, certificate: string | null): SecureContext | undefined {
    const key = certificate === null ? '' : `${ownerId} ${certificate}`;
    const known = this.contexts.get(key);
    this.contexts.delete(key);
    const kept = known ?? { ownerId: certificate === null ? 0 : ownerId, context: this.make(certificate) };
    if (!known) this.makeRoom(kept.ownerId);
    this.contexts.set(key, kept);
    return kept.context;
  }

  private make(certificate: string | null): SecureContext | undefined {
    return trustWith(certificate === null ? this.authorities : [...this.authorities, certificate]);
  }

  private makeRoom(ownerId: number): void {
    const own = [...this.contexts].filter(([, context]) => context.ownerId === ownerId);
    const oldest = own.length >= MAX_OF_OWNER ? own[0]?.[0] : undefined;
    const [first] = this.contexts.keys();
    if (oldest !== undefined) this.contexts.delete(oldest);
    else if (this.contexts.size >= MAX_CONTEXTS && first !== undefined) this.contexts.delete(first);
  }
}

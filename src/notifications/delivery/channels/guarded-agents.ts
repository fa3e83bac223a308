import type { SecureContext } from 'node:tls';
import { Agent } from 'undici';
import type { AddressGuard } from '../../../outbound/address-guard';
import type { TlsContexts } from '../../../outbound/tls-contexts';

/** Limits agents with an authority of their own. */
const MAX_OWN_AGENTS = 20;

/** Connects only to addresses that the guard has checked. */
export class GuardedAgents {
  private common: Agent | undefined;
  /** By certificate; the last one used is at the end. */
  private readonly own = new Map<string, Agent>();

  constructor(
    private readonly guard: AddressGuard,
    private readonly tlsContexts: Pick<TlsContexts, 'contextFor'>,
  ) {}

  /** `certificate` is that of the receiver's own authority. */
  agentFor(ownerId: number, certificate: string | null): Agent {
    const secureContext = this.tlsContexts.contextFor(ownerId, certificate);
    if (certificate === null) {
      this.common ??= this.open(secureContext);
      return this.common;
    }
    const agent = this.own.get(certificate) ?? this.open(secureContext);
    this.own.delete(certificate);
    this.own.set(certificate, agent);
    const [oldest] = this.own;
    if (oldest && this.own.size > MAX_OWN_AGENTS) {
      this.own.delete(oldest[0]);
      oldest[1].close().catch(() => undefined); // its attempts end first
    }
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all([this.common, ...this.own.values()].map((agent) => agent?.destroy()));
  }

  private open(secureContext: SecureContext | undefined): Agent {
    return new Agent({
      connect: {
        secureContext,
        // undici resolves names here, just before it connects. A literal address causes no call.
        lookup: (hostname, options, callback) => {
          this.guard.check(hostname).then(
            (addresses) => {
              // Given all addresses, Node tries the next one if one cannot be reached.
              if (options.all) callback(null, addresses);
              else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
            },
            (error) => callback(error, '', 4),
          );
        },
      },
      pipelining: 1,
    });
  }
}

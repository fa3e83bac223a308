import { Agent } from 'undici';
import type { AddressGuard } from '../../outbound/address-guard';
import { trustWith } from '../../outbound/trusted-authorities';

/** Maximum number of agents with an authority of their own that stay open. */
const MAX_OWN_AGENTS = 20;

/** Connections to receivers: only to addresses that the guard has checked, and by authority that a receiver needs. */
export class GuardedAgents {
  private readonly common: Agent;
  /** By the certificates of their authority, the one that was used last at the end. */
  private readonly own = new Map<string, Agent>();

  /** `authorities`: PEM certificates that all receivers may use, in addition to those that Node trusts. */
  constructor(
    private readonly guard: AddressGuard,
    private readonly authorities: readonly string[],
  ) {
    this.common = this.open(authorities);
  }

  /** The agent for a receiver; `certificate` is that of its own authority. */
  agentFor(certificate: string | null): Agent {
    if (certificate === null) return this.common;
    const agent = this.own.get(certificate) ?? this.open([...this.authorities, certificate]);
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
    await Promise.all([this.common, ...this.own.values()].map((agent) => agent.destroy()));
  }

  private open(authorities: readonly string[]): Agent {
    return new Agent({
      connect: {
        secureContext: trustWith(authorities),
        // undici resolves names here, just before it connects. It does not call this for a literal address.
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

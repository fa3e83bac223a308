import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/**
 * Each try asks the name servers one after the other, and the second try waits twice as long. The timeout is divided
 * among the servers, so that a lookup takes at most about three seconds. An attempt makes two lookups in ten seconds:
 * it succeeds even if the name servers answer for IPv4 and never for IPv6.
 */
const [TRIES, TIMEOUT_MS, MIN_TIMEOUT_MS] = [2, 800, 250];

/**
 * Looks up the addresses of hosts. The system's own lookup (getaddrinfo) blocks one of the few threads of the process
 * for longer than an attempt may last, so a user with names whose servers never answer could stop all deliveries. It is
 * used only for names without a dot, such as `localhost` or the services of a container network, whose name servers no
 * outsider controls. All other names are resolved by DNS queries, which need no thread. The hosts file comes first, as
 * it does for the system.
 */
export class HostNames {
  /** Uses the system's name servers and hosts file unless others are given. */
  constructor(private readonly settings: { servers?: string[]; hostsFile?: string } = {}) {}

  /** All addresses of a host. Empty if it has none or no name server answers in time. */
  async resolve(hostname: string): Promise<string[]> {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const fromFile = await this.inHostsFile(name);
    if (fromFile.length > 0) return fromFile;
    if (name.includes('.')) return this.askServers(name);
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }

  private async askServers(name: string): Promise<string[]> {
    // A new resolver for each name has the system's current servers, and timeouts that no earlier name has changed.
    const servers = this.settings.servers ?? new Resolver().getServers();
    const timeout = Math.max(MIN_TIMEOUT_MS, Math.round(TIMEOUT_MS / Math.max(1, servers.length)));
    const resolver = new Resolver({ timeout, tries: TRIES });
    if (this.settings.servers) resolver.setServers(this.settings.servers);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  private async inHostsFile(name: string): Promise<string[]> {
    const text = await readFile(this.settings.hostsFile ?? '/etc/hosts', 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => {
      const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
      return isIP(address) !== 0 && names.includes(name) ? [address] : [];
    });
  }
}

import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/**
 * The second try waits twice as long. The timeout is divided among the servers: a lookup takes at most about three
 * seconds, so the two lookups of an attempt end in ten, even if IPv6 is never answered.
 */
const [TRIES, TIMEOUT_MS, MIN_TIMEOUT_MS] = [2, 800, 250];

/**
 * DNS queries, after the hosts file: the system's lookup (getaddrinfo) blocks one of few threads, so servers without an
 * answer could stop all deliveries. It serves only names without a dot, such as `localhost`, whose name servers no
 * outsider controls.
 */
export class HostNames {
  /** Default: the system's name servers and hosts file. */
  constructor(private readonly settings: { servers?: string[]; hostsFile?: string } = {}) {}

  /** Empty if there are none, or no name server answers in time. */
  async resolve(hostname: string): Promise<string[]> {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const fromFile = await this.inHostsFile(name);
    if (fromFile.length > 0) return fromFile;
    if (name.includes('.')) return this.askServers(name);
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }

  private async askServers(name: string): Promise<string[]> {
    // A new resolver has the system's current servers, and timeouts that no earlier name has changed.
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

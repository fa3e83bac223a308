import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/**
 * Every try asks one name server after the other, and the second waits twice as long, so the time is divided among the
 * servers: about three seconds in all. An attempt looks up twice, and has ten seconds: so one whose name servers answer
 * for IPv4 and never for IPv6 still goes out.
 */
const [TRIES, TIMEOUT_MS, MIN_TIMEOUT_MS] = [2, 800, 250];

/**
 * Looks up the addresses of hosts. The system's own look-up (getaddrinfo) blocks one of the few threads of the process,
 * for longer than an attempt may last, so a user with names whose server never answers could stop all deliveries. It is
 * asked only for names without a dot, such as `localhost` or the services of a container network: of these no outsider
 * runs the server. All others are asked of DNS without a thread, unless they are in the hosts file, which comes first
 * as it does for the system.
 */
export class HostNames {
  /** Without `servers` those of the system. */
  constructor(private readonly settings: { servers?: string[]; hostsFile?: string } = {}) {}

  /** Every known address of a host; none when there is none, or no answer in time. */
  async resolve(hostname: string): Promise<string[]> {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const fromFile = await this.inHostsFile(name);
    if (fromFile.length > 0) return fromFile;
    if (name.includes('.')) return this.askServers(name);
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }

  private async askServers(name: string): Promise<string[]> {
    // One for each name: it knows the servers of this moment, and learns no impatience from names that do not answer.
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

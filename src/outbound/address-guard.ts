import ipaddr from 'ipaddr.js';
import { HostNames } from './host-names';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const OF_CLOUDS = [ipaddr.parse('168.63.129.16')];

/** Connect to this address and to no other. */
export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

/** The host has an address that deliveries may not reach. */
export class AddressNotAllowed extends Error {}

/** Checks what a name resolves to, so no name leads into the private network. */
export class AddressGuard {
  private readonly allowed: [Address, number][];

  /** `allowNetworks` in CIDR notation. */
  constructor(
    allowNetworks: readonly string[],
    private readonly hostNames = new HostNames(),
  ) {
    this.allowed = allowNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Returns at least one address. Throws AddressNotAllowed if any is not allowed. */
  async check(hostname: string): Promise<CheckedAddress[]> {
    const literal = hostname.replace(/^\[|\]$/g, '');
    const found = ipaddr.isValid(literal) ? [literal] : await this.hostNames.resolve(hostname);
    if (!found.every((address) => this.allows(address))) throw new AddressNotAllowed(hostname);
    if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  }

  private allows(text: string): boolean {
    const address = ipaddr.process(text);
    const isAllowed = this.allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
    return isAllowed || isPublic(address);
  }
}

/** A "unicast" range of ipaddr.js has no special purpose (RFC 6890 and others). */
function isPublic(address: Address): boolean {
  // Only this eighth of IPv6 is assigned. Outside are obsolete notations of IPv4, such as `::7f00:1`.
  const isAssigned = address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
  const isOfCloud = OF_CLOUDS.some((one) => one.toString() === address.toString());
  return isAssigned && !isOfCloud && address.range() === 'unicast';
}

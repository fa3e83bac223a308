import ipaddr from 'ipaddr.js';
import { HostNames } from './host-names';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/**
 * Public addresses by their numbers, but internal to a cloud: Azure serves its machines there. (The metadata services
 * of other clouds are link-local.)
 */
const OF_CLOUDS = [ipaddr.parse('168.63.129.16')];

/** A checked address of a host. Connect to this address and to no other. */
export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

/** The host resolves to an address that deliveries may not reach. */
export class AddressNotAllowed extends Error {}

/**
 * Decides which addresses deliveries may reach: public unicast addresses, and the networks that the operator allows. It
 * checks the addresses that a name resolves to, so no name can lead into the private network.
 */
export class AddressGuard {
  private readonly allowed: [Address, number][];

  /** `allowNetworks` in CIDR notation. */
  constructor(
    allowNetworks: readonly string[],
    private readonly hostNames = new HostNames(),
  ) {
    this.allowed = allowNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /**
   * Resolves a host and returns its addresses, at least one. Throws AddressNotAllowed if any of them is not allowed.
   */
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

/** ipaddr.js calls a range "unicast" if it has no special purpose (RFC 6890 and others). */
function isPublic(address: Address): boolean {
  // Only this eighth of IPv6 is assigned. Outside it are obsolete notations of IPv4 addresses, such as `::7f00:1`.
  const isAssigned = address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
  const isOfCloud = OF_CLOUDS.some((one) => one.toString() === address.toString());
  return isAssigned && !isOfCloud && address.range() === 'unicast';
}

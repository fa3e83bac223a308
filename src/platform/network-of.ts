import ipaddr from 'ipaddr.js';

/**
 * Some proxies write this into `X-Forwarded-For`. Each connection has another port, and would count as a separate
 * network.
 */
const WITH_PORT = /^(?:\[(.+)\]|(\d+(?:\.\d+){3})):\d+$/;

/**
 * The network that an address is counted as. A customer gets an IPv6 network of 64 bits or more, and may come from every
 * address of it; an IPv4 address is its own network.
 */
export function networkOf(given: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(given) ?? [];
  const text = ipv6 ?? ipv4 ?? given;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text); // an IPv4-mapped IPv6 address is treated as the IPv4 address
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().replace(/%.*/, '')}/64`).toString();
}

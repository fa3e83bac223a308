import ipaddr from 'ipaddr.js';

/** Some proxies write ports into `X-Forwarded-For`. Each connection has another one. */
const WITH_PORT = /^(?:\[(.+)\]|(\d+(?:\.\d+){3})):\d+$/;

/** The 64-bit network of an IPv6 address, because a customer has all of it; an IPv4 address itself. */
export function networkOf(given: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(given) ?? [];
  const text = ipv6 ?? ipv4 ?? given;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text); // an IPv4-mapped IPv6 address counts as its IPv4 address
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().replace(/%.*/, '')}/64`).toString();
}

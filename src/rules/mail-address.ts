import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** The form under which an address is one recipient, without regard to letter case. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** In a URL a host ends before these, but a name server may know names that have them. */
const BEYOND_HOST = /[/?#\\%]/;

/**
 * The mailbox of an address, as a hash, for counting. Letter case, a `+tag`, the spelling of an international domain,
 * and a point at its end make no difference.
 */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@');
  const name = addressKey(address.slice(0, at)).replace(/(?<=.)\+.*$/s, '');
  return createHash('sha256')
    .update(`${name}@${domainKey(address.slice(at + 1))}`)
    .digest('hex');
}

/**
 * Node reads a domain as the host of a URL: from `a.example/b.example` only the first part would be left, which is
 * another owner's domain.
 */
function domainKey(text: string): string {
  const domain = addressKey(text);
  const ascii = BEYOND_HOST.test(domain) ? domain : domainToASCII(domain) || domain;
  return ascii.replace(/\.$/, '');
}

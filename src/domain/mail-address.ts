import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** The form under which an address is one recipient: letter case makes no difference. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/**
 * The mailbox of an address, as a hash, for counting: neither letter case, a `+tag`, nor the spelling of an international
 * domain make another one.
 */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@');
  const name = addressKey(address.slice(0, at)).replace(/(?<=.)\+.*$/s, '');
  const domain = addressKey(address.slice(at + 1));
  return createHash('sha256')
    .update(`${name}@${domainToASCII(domain) || domain}`)
    .digest('hex');
}

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

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\/?#%\p{Cc}]{1,253}(?<!\.)$/u;

/**
 * True for exactly one plain email address. Refused are characters that separate addresses in mail headers, so that a
 * mail never goes to another person; in the domain, characters that end a host in a URL; and a point at the end of the
 * domain. No mail domain has these, and each would be another spelling.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

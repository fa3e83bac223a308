import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** One recipient, without regard to letter case. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** A URL's host ends before these, but a name server may know names that have them. */
const BEYOND_HOST = /[/?#\\%]/;

/** Ignores letter case, a `+tag`, the spelling of an international domain and a point at its end. */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@');
  const name = addressKey(address.slice(0, at)).replace(/(?<=.)\+.*$/s, '');
  return createHash('sha256')
    .update(`${name}@${domainKey(address.slice(at + 1))}`)
    .digest('hex');
}

/**
 * Node reads a domain as the host of a URL: `a.example/b.example` would leave only the first part, another owner's
 * domain.
 */
function domainKey(text: string): string {
  const domain = addressKey(text);
  const ascii = BEYOND_HOST.test(domain) ? domain : domainToASCII(domain) || domain;
  return ascii.replace(/\.$/, '');
}

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\/?#%\p{Cc}]{1,253}(?<!\.)$/u;

/**
 * Refuses characters that separate addresses in mail headers, so that no mail goes to another person; characters that
 * end a host in a URL; and a point at the end.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

import { parseUrl } from './parse-url';

const MAX_URL = 2_000;
const MAX_ADDRESS = 255;
// One mailbox: no lists, no quotes, no line breaks. A server may accept more than that.
const MAILBOX = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,253}$/;

/** Why a notification cannot be sent there, or null when it can. Nothing is resolved: that happens when sending. */
export function checkDestination(type: string, destination: string): string | null {
  return type === 'email' ? checkAddress(destination) : checkUrl(destination);
}

function checkAddress(address: string): string | null {
  if (address.length > MAX_ADDRESS) return `must be at most ${MAX_ADDRESS} characters`;
  return MAILBOX.test(address) ? null : 'must be one email address';
}

function checkUrl(text: string): string | null {
  if (text.length > MAX_URL) return `must be at most ${MAX_URL} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  const { protocol, username, password, hostname } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an http or https URL';
  if (username !== '' || password !== '') return 'must not hold credentials';
  return hostname === '' ? 'must name a host' : null;
}

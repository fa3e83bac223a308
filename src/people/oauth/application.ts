import { parseUrl } from '../../platform/parse-url';

/** Runs on a server, in a browser's pages, on the user's machine, or for the owner alone. */
export const APPLICATION_TYPES = ['web', 'browser', 'native', 'service'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** The callback of an application that cannot be called back: the user copies the verifier. */
export const OUT_OF_BAND = 'oob';

const MAX_CALLBACK_LENGTH = 2_000;

export function callbackProblem(url: string, type: ApplicationType): string | null {
  if (url.length > MAX_CALLBACK_LENGTH) return `must be at most ${MAX_CALLBACK_LENGTH} characters`;
  // Browsers drop line breaks, tabs and spaces around a URL, and take a backslash for a slash. Headers hold ASCII only.
  if (/[^\x21-\x7e]|\\/.test(url))
    return 'must have no spaces, backslashes, control characters or letters beyond ASCII';
  const parsed = parseUrl(url);
  if (!parsed) return 'must be an absolute URL';
  if (url.includes('#')) return 'must have no fragment';
  if (parsed.username !== '' || parsed.password !== '') return 'must have no username or password';
  if (/^https?:\/\/[^/]/i.test(url)) return null;
  if (type !== 'native') return 'must begin with https:// or http://';
  // RFC 8252 section 7.1: a private scheme is a reversed domain name with a dot. No scheme that browsers know has a
  // dot.
  return /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:/i.test(url)
    ? null
    : 'must begin with https://, http:// or a scheme with a dot in it, com.example.app: for instance';
}

/** The query of a callback of OAuth 1.0a is not compared. */
export function isRegisteredCallback(callback: string, registered: readonly string[]): boolean {
  const given = beforeQuery(callback);
  return given !== null && registered.some((url) => beforeQuery(url) === given);
}

/** Returns one spelling; null for no callback. */
function beforeQuery(url: string): string | null {
  const parsed = callbackProblem(url, 'native') === null ? parseUrl(url) : undefined;
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : null;
}

import { parseUrl } from '../../../platform/parse-url';

const MAX_URL_LENGTH = 2_000;
/** URL parsers drop these characters, so the request would go elsewhere than the text says. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Null if something can be posted there. Resolves no names. */
export function checkUrl(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  if (BREAKING.test(text.trim())) return 'must not hold line breaks or control characters';
  if (!isHttp(url)) return 'must be an http or https URL';
  if (hasCredentials(url)) return 'must not hold credentials';
  return url.hostname === '' ? 'must name a host' : null;
}

/** Has the default port of the scheme; `none` if the text is not a URL. */
export function hostAndPortOf(text: string): string {
  const url = parseUrl(text);
  if (!url) return 'none';
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

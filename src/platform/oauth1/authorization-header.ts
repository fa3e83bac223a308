import { type Parameter, percentDecode, percentEncode } from './parameters';

const SCHEME = /^OAuth(?:\s+|$)/i;
const PAIR = /^\s*([^\s=,"]+)\s*=\s*(?:"([^"]*)"|([^\s,"]*))\s*$/;

/**
 * `Authorization: OAuth …` (RFC 5849 section 3.5.1) without `realm`. Undefined for another scheme, null if unreadable.
 */
export function parseAuthorizationHeader(header: string | undefined): Parameter[] | null | undefined {
  if (header === undefined || !SCHEME.test(header)) return undefined;
  const parts = header
    .replace(SCHEME, '')
    .split(',')
    .filter((part) => part.trim() !== '');
  const pairs = parts.map((part) => PAIR.exec(part));
  const parameters: Parameter[] = [];
  for (const pair of pairs) {
    const name = pair?.[1];
    if (pair === null || name === undefined) return null;
    const value = pair[2] ?? pair[3] ?? '';
    if (name.toLowerCase() !== 'realm') parameters.push([percentDecode(name), percentDecode(value)]);
  }
  return parameters;
}

export function formatAuthorizationHeader(parameters: readonly Parameter[]): string {
  const pairs = parameters.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`);
  return `OAuth ${pairs.join(', ')}`.trimEnd();
}

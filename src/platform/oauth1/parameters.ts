/** Decoded; names may repeat, and their order does not count. */
export type Parameter = readonly [name: string, value: string];

/** RFC 5849 section 3.6: encodes everything but letters, digits, `-`, `.`, `_` and `~`. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns a text unchanged if it is not encoded correctly. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads a query without its question mark, or a form (RFC 5849 section 3.4.1.3.1). */
export function parseParameters(text: string): Parameter[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return [decodeFormText(name), decodeFormText(value)];
    });
}

function decodeFormText(text: string): string {
  return percentDecode(text.replaceAll('+', ' '));
}

export function writeForm(parameters: readonly Parameter[]): string {
  return parameters.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
}

/** RFC 5849 section 3.4.1.3.2: encoded, sorted by name and value, without the signature. */
export function normalizeParameters(parameters: readonly Parameter[]): string {
  return parameters
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Compares by bytes: both are ASCII. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

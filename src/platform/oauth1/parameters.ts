/** A decoded name with its value; names may repeat, and their order does not count. */
export type Parameter = readonly [name: string, value: string];

/** Encodes as RFC 5849 section 3.6 says: everything but letters, digits, `-`, `.`, `_` and `~`, by its bytes in UTF-8. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes a text. A text that is not encoded correctly is returned unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parameters of a query without its question mark, or of a form (RFC 5849 section 3.4.1.3.1). */
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

/** Writes parameters as a form, with spaces as `%20`. */
export function writeForm(parameters: readonly Parameter[]): string {
  return parameters.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
}

/** The parameters in one text (RFC 5849 section 3.4.1.3.2): encoded, sorted by name and value, without the signature. */
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

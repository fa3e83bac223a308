import { createHmac } from 'node:crypto';
import { percentEncode } from '../../../platform/oauth1/parameters';
import { isSameSecret } from '../../../platform/secrets';

const HASHES = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const;
export type SignatureMethod = keyof typeof HASHES;
/** PLAINTEXT would send the secrets, and RSA-SHA1 needs keys that applications do not register. */
export const SIGNATURE_METHODS = Object.keys(HASHES) as readonly SignatureMethod[]; // the object has no other keys

const DEFAULT_PORTS: Record<string, string> = { http: ':80', https: ':443' };

export interface Signed {
  method: string;
  /** Without query: `http://example.com/request`. */
  uri: string;
  /** Query, header and form, normalized to one text. */
  parameters: string;
}

export interface SigningSecrets {
  consumer: string;
  token: string;
}

/** RFC 5849 section 3.4.1.2: scheme and host in lower case, no default port. */
export function baseStringUri(scheme: string, host: string, path: string): string {
  const lower = scheme.toLowerCase();
  const port = DEFAULT_PORTS[lower] ?? '';
  const authority = host.toLowerCase();
  return `${lower}://${port !== '' && authority.endsWith(port) ? authority.slice(0, -port.length) : authority}${path || '/'}`;
}

/** RFC 5849 section 3.4.1. */
export function baseString({ method, uri, parameters }: Signed): string {
  return [method.toUpperCase(), uri, parameters].map(percentEncode).join('&');
}

/** Base64 (RFC 5849 section 3.4.2). */
export function sign(signed: Signed, method: SignatureMethod, { consumer, token }: SigningSecrets): string {
  const key = `${percentEncode(consumer)}&${percentEncode(token)}`;
  return createHmac(HASHES[method], key).update(baseString(signed)).digest('base64');
}

/** Valid for any of these. All are compared, so the duration reveals nothing. */
export function isSigned(
  candidates: readonly Signed[],
  signature: string,
  method: SignatureMethod,
  secrets: SigningSecrets,
): boolean {
  const matches = candidates.map((signed) => isSameSecret(signature, sign(signed, method, secrets)));
  return matches.includes(true);
}

export function isSignatureMethod(name: string): name is SignatureMethod {
  return Object.hasOwn(HASHES, name);
}

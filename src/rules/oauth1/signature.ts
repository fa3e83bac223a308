import { createHmac } from 'node:crypto';
import { isSameSecret } from '../same-secret';
import { percentEncode } from './parameters';

const HASHES = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const;
export type SignatureMethod = keyof typeof HASHES;
/** The methods that are taken; PLAINTEXT would send the secrets, and RSA-SHA1 needs keys that nobody registers. */
export const SIGNATURE_METHODS = Object.keys(HASHES) as readonly SignatureMethod[]; // the keys are just these

const DEFAULT_PORTS: Record<string, string> = { http: ':80', https: ':443' };

/** What a signature is about. */
export interface Signed {
  method: string;
  /** Without query: `http://example.com/request`. */
  uri: string;
  /** All of the query, of the header and of a form, normalized to one text. */
  parameters: string;
}

/** The two secrets that sign; that of the token is empty where there is none. */
export interface SigningSecrets {
  consumer: string;
  token: string;
}

/** The URI that is signed (RFC 5849 section 3.4.1.2): scheme and host in lower case, the port only when it is not the usual one. */
export function baseStringUri(scheme: string, host: string, path: string): string {
  const lower = scheme.toLowerCase();
  const port = DEFAULT_PORTS[lower] ?? '';
  const authority = host.toLowerCase();
  return `${lower}://${port !== '' && authority.endsWith(port) ? authority.slice(0, -port.length) : authority}${path || '/'}`;
}

/** The text that is signed (RFC 5849 section 3.4.1). */
export function baseString({ method, uri, parameters }: Signed): string {
  return [method.toUpperCase(), uri, parameters].map(percentEncode).join('&');
}

/** The signature in base64 (RFC 5849 section 3.4.2). */
export function sign(signed: Signed, method: SignatureMethod, { consumer, token }: SigningSecrets): string {
  const key = `${percentEncode(consumer)}&${percentEncode(token)}`;
  return createHmac(HASHES[method], key).update(baseString(signed)).digest('base64');
}

/** Whether a signature is right for any of these; all are compared, so that the time says nothing. */
export function isSigned(
  candidates: readonly Signed[],
  signature: string,
  method: SignatureMethod,
  secrets: SigningSecrets,
): boolean {
  const matches = candidates.map((signed) => isSameSecret(signature, sign(signed, method, secrets)));
  return matches.includes(true);
}

/** Whether a name is that of a method that is taken. */
export function isSignatureMethod(name: string): name is SignatureMethod {
  return Object.hasOwn(HASHES, name);
}

import { X509Certificate } from 'node:crypto';

const MAX_CERTIFICATES = 20_000;

/** Why a text in PEM format cannot be trusted as an authority, for an error that begins with its field; null if it can. */
export function whyNoAuthority(pem: string): string | null {
  if (pem.length > MAX_CERTIFICATES) return `must have at most ${MAX_CERTIFICATES} characters`;
  try {
    return new X509Certificate(pem).ca ? null : 'must be the certificate of an authority';
  } catch {
    return 'must be a certificate in PEM format';
  }
}

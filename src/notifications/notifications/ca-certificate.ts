import { X509Certificate } from 'node:crypto';

const MAX_CERTIFICATES = 20_000;

/** Null if the PEM text can be trusted as an authority. An error begins with its field. */
export function whyNoAuthority(pem: string): string | null {
  if (pem.length > MAX_CERTIFICATES) return `must have at most ${MAX_CERTIFICATES} characters`;
  try {
    return new X509Certificate(pem).ca ? null : 'must be the certificate of an authority';
  } catch {
    return 'must be a certificate in PEM format';
  }
}

import { createHash } from 'node:crypto';
import { isSameSecret } from '../../../platform/secrets';

/** S256 (RFC 7636 section 4.2). */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** S256 (RFC 7636 sections 4.1 and 4.6). */
export function isVerifierOf(text: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(text)) return false;
  return isSameSecret(createHash('sha256').update(text).digest('base64url'), challenge);
}

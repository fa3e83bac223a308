import { randomInt } from 'node:crypto';
import { hashSecret } from '../../platform/secrets';

const CODES = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'; // cspell:disable-line
/** About 79 bits: too many to guess, even from a copy of the hashes. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, newCode);
}

/** Spaces, dashes and letter case make no difference. */
export function recoveryHash(code: string): string {
  return hashSecret(plainCode(code));
}

export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function newCode(): string {
  const text = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return text.replace(GROUP, '$&-');
}

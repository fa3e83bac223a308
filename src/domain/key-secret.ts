import { randomInt } from 'node:crypto';
import type { RandomInt } from './session-id';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'key_';
const RANDOM_LENGTH = 43;
const HINT_LENGTH = 4;
const SECRET = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH}}$`);

/** A fresh secret of a key: 256 random bits as letters and digits, and a prefix by which people and scanners recognise it. */
export function newKeySecret(random: RandomInt = randomInt): string {
  return PREFIX + Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join('');
}

/** Whether a text can be the secret of a key at all. */
export function isKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** What lists show of a secret, so that its owner can tell keys apart. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

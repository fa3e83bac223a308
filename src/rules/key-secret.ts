import { type RandomInt, randomText } from './random-text';

const PREFIX = 'key_';
const RANDOM_LENGTH = 43;
const HINT_LENGTH = 4;
const SECRET = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH}}$`);

/** A fresh secret of a key: 256 random bits as letters and digits, and a prefix by which people and scanners recognise it. */
export function newKeySecret(random?: RandomInt): string {
  return PREFIX + randomText(RANDOM_LENGTH, random);
}

/** Whether a text can be the secret of a key at all. */
export function isKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** What lists show of a secret, so that its owner can tell keys apart. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

import { type RandomInt, randomText } from './random-text';

const PREFIX = 'key_';
const RANDOM_LENGTH = 43;
const HINT_LENGTH = 4;
const SECRET = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH}}$`);

/** A fresh secret of a key: 256 random bits as letters and digits, and a prefix that people and scanners recognise. */
export function newKeySecret(random?: RandomInt): string {
  return PREFIX + randomText(RANDOM_LENGTH, random);
}

/** True if a text has the form of a key's secret. */
export function isKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** The part of a secret that lists show, so that its owner can tell keys apart. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

import { createHash, hash, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type RandomInt = (below: number) => number;

/** Unguessable letters and digits, about 6 bits each. */
export function randomText(length: number, random: RandomInt = randomInt): string {
  return Array.from({ length }, () => ALPHABET.charAt(random(ALPHABET.length))).join('');
}

const SESSION_ID_LENGTH = 27;

/** 27 letters and digits (160 bits). Old clients keep it unchanged. */
export function newSessionId(random?: RandomInt): string {
  return randomText(SESSION_ID_LENGTH, random);
}

export function isSessionId(text: string): boolean {
  return text.length === SESSION_ID_LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** The stored form: the table gives no access to a session. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

const KEY_PREFIX = 'key_';
const KEY_RANDOM_LENGTH = 43;
const KEY_HINT_LENGTH = 4;
const KEY_SECRET = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_RANDOM_LENGTH}}$`);

/** 256 random bits as letters and digits, behind a prefix that people and scanners recognise. */
export function newKeySecret(random?: RandomInt): string {
  return KEY_PREFIX + randomText(KEY_RANDOM_LENGTH, random);
}

export function isKeySecret(text: string): boolean {
  return KEY_SECRET.test(text);
}

/** The part that lists show, so that owners can tell keys apart. */
export function hintOf(secret: string): string {
  return secret.slice(-KEY_HINT_LENGTH);
}

/** Takes a time that does not depend on where the secrets differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

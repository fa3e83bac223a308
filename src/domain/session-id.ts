import { hash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 27;

/** Draws a whole number from 0 up to, not including, its parameter; every one equally likely. */
export type RandomInt = (below: number) => number;

/** A fresh secret id of 27 letters and digits (160 bits); old clients keep it as they find it. */
export function newSessionId(random: RandomInt = randomInt): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length))).join('');
}

/** Whether a text can be a session id at all. */
export function isSessionId(text: string): boolean {
  return text.length === LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** What is stored of a secret: reading the table does not give access to a session. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

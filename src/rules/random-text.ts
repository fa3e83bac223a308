import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Draws a whole number from 0 up to, not including, its parameter; every one equally likely. */
export type RandomInt = (below: number) => number;

/** A fresh text of so many letters and digits, of about 6 bits each, that nobody can guess. */
export function randomText(length: number, random: RandomInt = randomInt): string {
  return Array.from({ length }, () => ALPHABET.charAt(random(ALPHABET.length))).join('');
}

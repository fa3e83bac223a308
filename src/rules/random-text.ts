import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Draws a whole number from 0 up to, not including, its parameter, with equal probability. */
export type RandomInt = (below: number) => number;

/** A fresh unguessable text of `length` letters and digits, about 6 bits each. */
export function randomText(length: number, random: RandomInt = randomInt): string {
  return Array.from({ length }, () => ALPHABET.charAt(random(ALPHABET.length))).join('');
}

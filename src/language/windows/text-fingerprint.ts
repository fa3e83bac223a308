import { hash } from 'node:crypto';

const SHORT_TEXT = 64;
const HEX_DIGITS = 13;
const UPPER = 0x10_0000;
const LOWER = 0x1_0000_0000;

/** 1 to 2^52. Different texts collide with a probability of 1 in 4e15. */
export function fingerprintOf(text: string): number {
  if (text.length <= SHORT_TEXT) return mixed(text) + 1;
  return Number.parseInt(hash('sha1', text, 'hex').slice(0, HEX_DIGITS), 16) + 1;
}

/** Two hashes of 32 bits with different factors, mixed at the end as in MurmurHash3. */
function mixed(text: string): number {
  let a = 0xdead_beef ^ text.length;
  let b = 0x41c6_ce57 ^ text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e37_79b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ code, 0x5f35_6495);
    b ^= b >>> 13;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85eb_ca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2_ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85eb_ca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2_ae35);
  return ((b >>> 0) % UPPER) * LOWER + (a >>> 0);
}

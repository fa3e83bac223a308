import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that says nothing about where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

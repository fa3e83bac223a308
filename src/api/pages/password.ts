import { createHash } from 'node:crypto';

/** The MD5 digest of a password, as API clients send it: forms send the password itself. */
export function digestOf(password: string): string {
  return createHash('md5').update(password, 'utf8').digest('hex');
}

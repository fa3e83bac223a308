import { createHash } from 'node:crypto';

/** The MD5 digest of a password, which is what clients of the API send: forms send the password itself. */
export function digestOf(password: string): string {
  return createHash('md5').update(password, 'utf8').digest('hex');
}

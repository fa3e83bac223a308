import { createHash } from 'node:crypto';

/** Forms send the password itself, API clients its MD5 digest. */
export function digestOf(password: string): string {
  return createHash('md5').update(password, 'utf8').digest('hex');
}

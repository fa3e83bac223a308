import { createHash } from 'node:crypto';
import { looksOf, mixesScripts } from './look-alikes';

/** Letter case, compatible spellings and spaces at the ends make no difference. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** No two accounts have the same appearance. */
export function usernameLooks(username: string): string {
  return createHash('sha256').update(looksOf(username)).digest('hex');
}

/**
 * Control, half, unassigned, private and ignorable characters. The last line: not ignorable in Unicode, but blank in
 * fonts.
 */
const INVISIBLE = new RegExp(
  [
    '[\\p{Cc}\\p{Cs}\\p{Cf}\\p{Cn}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}',
    '\\u2800\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}\\ufffc]',
  ].join(''),
  'u',
);

/** Null for a username. */
export function usernameProblem(username: string): string | null {
  if (username !== username.trim()) return 'must not begin or end with a space';
  if (INVISIBLE.test(username)) return 'must have no invisible characters';
  if (mixesScripts(username.normalize('NFKC')))
    return 'must not mix letters of several scripts, such as Latin and Cyrillic';
  const key = usernameKey(username);
  return key === '' || key.length > 255 ? 'must have 1 to 255 characters' : null;
}

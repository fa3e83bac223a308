import { createHash } from 'node:crypto';
import { looksOf, mixesScripts } from './look-alikes';

/**
 * The form under which a username is unique: letter case, compatible spellings of a character and spaces around it
 * make no difference.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** A hash of the username's appearance. No two accounts have the same. */
export function usernameLooks(username: string): string {
  return createHash('sha256').update(looksOf(username)).digest('hex');
}

/**
 * Characters that show nothing and could make two names look the same: control, half, unassigned, private and ignorable
 * ones. The last line lists characters that Unicode does not call ignorable but that fonts leave blank.
 */
const INVISIBLE = new RegExp(
  [
    '[\\p{Cc}\\p{Cs}\\p{Cf}\\p{Cn}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}',
    '\\u2800\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}\\ufffc]',
  ].join(''),
  'u',
);

/** Why a text cannot be a username, or null when it can. */
export function usernameProblem(username: string): string | null {
  if (username !== username.trim()) return 'must not begin or end with a space';
  if (INVISIBLE.test(username)) return 'must have no invisible characters';
  if (mixesScripts(username.normalize('NFKC')))
    return 'must not mix letters of several scripts, such as Latin and Cyrillic';
  const key = usernameKey(username);
  return key === '' || key.length > 255 ? 'must have 1 to 255 characters' : null;
}

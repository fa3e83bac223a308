/**
 * The form under which a username is unique: letter case, compatible spellings of a character and spaces around it
 * make no difference.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** Why a text cannot be a username, or null when it can. */
export function usernameProblem(username: string): string | null {
  if (username !== username.trim()) return 'must not begin or end with a space';
  // Control characters, half characters, and the invisible ones that make two names look the same.
  if (/[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/u.test(username)) return 'must have no invisible characters';
  const key = usernameKey(username);
  return key === '' || key.length > 255 ? 'must have 1 to 255 characters' : null;
}

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\\p{Cc}]{1,253}$/u;

/**
 * Whether a string is one plain email address. Characters by which mail headers separate addresses are refused, so that
 * a mail never goes to anybody else.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

import { usernameKey, usernameLooks } from './account';

/** Spelling and appearance, both unique. */
export function keysOf(username: string) {
  return { usernameKey: usernameKey(username), usernameLooks: usernameLooks(username) };
}

import type { Caller } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';

/** Throws Forbidden for any id except the caller's own, whether or not the id exists. */
export function requireOwnAccount(caller: Pick<Caller, 'userId'>, id: number): void {
  if (id !== caller.userId) throw new Forbidden('this is not your account');
}

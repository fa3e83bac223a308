import type { Caller } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';

/** Throws Forbidden for any other id, whether or not it exists. */
export function requireOwnAccount(caller: Pick<Caller, 'userId'>, id: number): void {
  if (id !== caller.userId) throw new Forbidden('this is not your account');
}

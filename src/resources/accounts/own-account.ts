import type { Caller } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';

/** Forbidden for any id but the caller's own, whether it is that of an account or not. */
export function requireOwnAccount(caller: Pick<Caller, 'userId'>, id: number): void {
  if (id !== caller.userId) throw new Forbidden('this is not your account');
}

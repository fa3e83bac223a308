import type { Request } from 'express';
import type { Identity } from '../platform/caller';

/** Finds the user of a request by one kind of credential other than a session. */
export interface CredentialFinder {
  /** Whether the request has a credential of this kind, whatever it is worth. */
  isIn(request: Request): boolean;
  /** Whom it speaks for, and what it may do; throws what the client is answered when it is worth nothing. */
  find(request: Request): Promise<Identity>;
  /** The same for a request that was found before: whether what it was made by still holds. */
  findAgain(request: Request): Promise<Identity>;
  /** Whom to charge for a large body that has not been read yet, by the head of the request; undefined for nobody. */
  findPayer(request: Request): Promise<number | undefined>;
}

import type { Request } from 'express';
import type { Identity } from '../platform/caller';

/** Finds the user of a request by one kind of credential other than a session. */
export interface CredentialFinder {
  /** True if the request has a credential of this kind, valid or not. */
  isIn(request: Request): boolean;
  /** The identity behind the credential, if it is cached. It may have ended since. */
  lookUp(request: Request): Identity | undefined;
  /** The identity behind the credential. Throws the client's error if it is invalid. */
  find(request: Request): Promise<Identity>;
  /** The same for a request that was identified before: checks that its credential is still valid. */
  findAgain(request: Request): Promise<Identity>;
  /**
   * The user to charge for a large body that has not been read yet, from the head of the request; undefined if there is
   * none.
   */
  findPayer(request: Request): Promise<number | undefined>;
}

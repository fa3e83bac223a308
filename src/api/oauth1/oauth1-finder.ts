import type { Request } from 'express';
import type { OAuth1Access } from '../../people';
import type { Identity } from '../../platform/caller';
import type { CredentialFinder } from '../authentication';
import { visitorOf } from '../visitor';
import { arrivedRequestOf, isSignedRequest } from './arrived-request';

/** Requests signed with an access token of OAuth 1.0a: header, query or form. */
export class OAuth1Finder implements CredentialFinder {
  constructor(
    private readonly access: OAuth1Access,
    private readonly publicUrl: string | undefined,
  ) {}

  isIn(request: Request): boolean {
    return isSignedRequest(request);
  }

  /** Never cached: signatures have to be checked. */
  lookUp(): undefined {}

  find(request: Request): Promise<Identity> {
    return this.access.find(arrivedRequestOf(request, this.publicUrl), visitorOf(request).network);
  }

  /** Checks the token alone: nonce and timestamp were right when the request arrived. */
  findAgain(request: Request): Promise<Identity> {
    return this.access.findAgain(arrivedRequestOf(request, this.publicUrl), visitorOf(request).network);
  }

  /** Without using up the nonce: the request is yet to be identified. A form cannot be checked before it was read. */
  async findPayer(request: Request): Promise<number | undefined> {
    return this.access.findPayer(arrivedRequestOf(request, this.publicUrl), visitorOf(request).network);
  }
}

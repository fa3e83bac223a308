import type { Request } from 'express';
import type { Services } from '../container';
import type { BearerTokens } from '../people';
import type { Identity } from '../platform/caller';
import { InvalidInput, InvalidToken } from '../platform/errors';
import type { CredentialFinder } from './authentication';
import { readBearerHeader, readKeyParameter } from './middlewares/session-token';
import { OAuth1Finder } from './oauth1/oauth1-finder';
import { ProtocolKeyFinder } from './protocol-keys';

/** Bearer tokens, and keys in the parameter `API_KEY`. */
class BearerFinder implements CredentialFinder {
  constructor(private readonly tokens: BearerTokens) {}

  isIn(request: Request): boolean {
    return readBearerHeader(request.headers) !== undefined || readKeyParameter(request) !== undefined;
  }

  lookUp(request: Request): Identity | undefined {
    const token = readBearerHeader(request.headers);
    return token === undefined || readKeyParameter(request) !== undefined ? undefined : this.tokens.lookUp(token);
  }

  async find(request: Request): Promise<Identity> {
    const inHeader = readBearerHeader(request.headers);
    const parameter = readKeyParameter(request);
    if (inHeader !== undefined && parameter !== undefined) {
      throw new InvalidInput('send a key either in the header Authorization or as API_KEY, not in both');
    }
    const identity = await this.tokens.find(inHeader ?? parameter ?? '');
    if (!identity) throw new InvalidToken();
    return identity;
  }

  findAgain(request: Request): Promise<Identity> {
    return this.find(request);
  }

  async findPayer(request: Request): Promise<number | undefined> {
    const token = readBearerHeader(request.headers) ?? readKeyParameter(request);
    return token === undefined ? undefined : (await this.tokens.find(token))?.userId;
  }
}

/** All credentials other than sessions. A request may have one credential. */
export function listCredentialFinders(services: Services, publicUrl: string | undefined): readonly CredentialFinder[] {
  return [
    new BearerFinder(services.bearerTokens),
    new ProtocolKeyFinder(services.bearerTokens),
    new OAuth1Finder(services.oauth1Access, publicUrl),
  ];
}

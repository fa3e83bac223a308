import type { Services } from '../services';
import { BearerFinder } from './bearer-finder';
import type { CredentialFinder } from './credential-finder';
import { OAuth1Finder } from './oauth1/oauth1-finder';

/** All kinds of credentials other than sessions. A request may have one credential of one kind. */
export function listCredentialFinders(services: Services, publicUrl: string | undefined): readonly CredentialFinder[] {
  return [new BearerFinder(services.bearerTokens), new OAuth1Finder(services.oauth1Access, publicUrl)];
}

import type { Clock } from '../platform/clock';
import type { SecretBox } from '../rules/secret-box';
import type { Database } from '../storage';
import type { AuthorizationsService } from './authorizations.service';
import type { ClientSecrets } from './client-secrets';
import { OAuth1Service } from './oauth1.service';
import { OAuth1Access } from './oauth1-access';
import { OAuth1Consents } from './oauth1-consents.service';
import { OAuth1Nonces } from './oauth1-nonces';
import { OAuth1Tokens } from './oauth1-tokens';
import { SignedRequests } from './signed-requests';

/** Builds the use cases of OAuth 1.0a. */
export function buildOAuth1(parts: {
  database: Database;
  clientSecrets: ClientSecrets;
  secretBox: SecretBox;
  authorizations: AuthorizationsService;
  clock: Clock;
}) {
  const { database, clientSecrets, secretBox, authorizations, clock } = parts;
  const signedRequests = new SignedRequests(clientSecrets, new OAuth1Nonces(database.pool, clock), clock);
  return {
    oauth1: new OAuth1Service(database, clientSecrets, signedRequests, new OAuth1Tokens(secretBox), clock),
    oauth1Access: new OAuth1Access(database.pool, secretBox, signedRequests, authorizations, clock),
    oauth1Consents: new OAuth1Consents(database, authorizations, clock),
  };
}

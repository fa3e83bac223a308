import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import type { AuthorizationsService } from './authorizations.service';
import type { ClientSecrets } from './client-secrets';
import { OAuth1Service } from './oauth1.service';
import { OAuth1Access } from './oauth1-access';
import { OAuth1Consents } from './oauth1-consents.service';
import { OAuth1Nonces } from './oauth1-nonces';
import { OAuth1Tokens } from './oauth1-tokens';
import { OAuth2Service } from './oauth2.service';
import { OAuth2Access } from './oauth2-access';
import { OAuth2Clients } from './oauth2-clients';
import { OAuth2Consents } from './oauth2-consents.service';
import { OAuth2TokenStatus } from './oauth2-token-status';
import { SignedRequests } from './signed-requests';

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

export function buildOAuth2(parts: {
  database: Database;
  clientSecrets: ClientSecrets;
  authorizations: AuthorizationsService;
  eventLog: EventLog;
  clock: Clock;
}) {
  const { database, clientSecrets, authorizations, eventLog, clock } = parts;
  const oauth2Clients = new OAuth2Clients(clientSecrets);
  return {
    oauth2: new OAuth2Service(database, eventLog, clock),
    oauth2Access: new OAuth2Access(database, authorizations, clock),
    oauth2Clients,
    oauth2Consents: new OAuth2Consents(database, oauth2Clients, authorizations, clock),
    oauth2TokenStatus: new OAuth2TokenStatus(database, clock),
  };
}

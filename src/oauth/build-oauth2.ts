import type { EventLog } from '../events/event-log';
import type { Clock } from '../platform/clock';
import type { Database } from '../storage';
import type { AuthorizationsService } from './authorizations.service';
import type { ClientSecrets } from './client-secrets';
import { OAuth2Service } from './oauth2.service';
import { OAuth2Access } from './oauth2-access';
import { OAuth2Clients } from './oauth2-clients';
import { OAuth2Consents } from './oauth2-consents.service';
import { OAuth2TokenStatus } from './oauth2-token-status';

/** Builds the use cases of OAuth 2. */
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

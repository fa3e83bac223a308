import type { MailConsents } from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { OidcConfig } from '../../platform/oidc-settings';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import type { Reauthentication } from '../accounts/reauthentication';
import type { SessionsService } from '../accounts/sessions.service';
import type { UsersService } from '../accounts/users.service';
import type { ProvidedMemberships } from '../groups/provided-memberships';
import { IdentitiesService } from './identities.service';
import { IdentityLogins } from './identity-logins';
import { OidcProvider } from './provider';
import { UsedStates } from './used-states';

interface Parts {
  settings: OidcConfig | undefined;
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  logger: Logger;
  sessions: SessionsService;
  users: UsersService;
  reauthentication: Reauthentication;
  memberships: ProvidedMemberships;
  consents: MailConsents;
}

export function buildOidc({ settings, database, clock, secretBox, logger, ...parts }: Parts) {
  const { sessions, users, reauthentication, memberships, consents } = parts;
  const login = { reauthentication, sessions, consents };
  const isConfigured = settings !== undefined;
  return {
    identities: new IdentitiesService(database, login, secretBox, clock, isConfigured),
    /** Undefined without a provider. */
    oidc: settings && {
      settings,
      provider: new OidcProvider(settings, clock, logger),
      logins: new IdentityLogins(settings, { sessions, users, memberships, clock }),
      usedStates: new UsedStates(database.pool, clock),
    },
  };
}

export type Oidc = NonNullable<ReturnType<typeof buildOidc>['oidc']>;

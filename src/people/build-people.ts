import type { SensorAccess } from '../access/sensor-access';
import { auditModels, type RefusedAttempts } from '../audit';
import type { EventLog } from '../events/event-log';
import type { Quota } from '../fairness/quota';
import type { AccountMails, DeliveryRunner, MailConsents } from '../notifications';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { SecretBox } from '../platform/secret-box';
import type { Database } from '../storage';
import { AccountAccess } from './accounts/account-access';
import type { AccountRemoval } from './accounts/account-removal';
import { AccountsService } from './accounts/accounts.service';
import { BearerTokens } from './accounts/bearer-tokens';
import { BlockedUsersService } from './accounts/blocked-users.service';
import { DisabledAccounts, type OwnerWatches } from './accounts/disabled-accounts';
import { KeysService } from './accounts/keys.service';
import { PasswordResets } from './accounts/password-resets';
import { Passwords } from './accounts/passwords';
import type { RefusedLogins } from './accounts/refused-logins';
import { RegistrationGate } from './accounts/registration-gate';
import { UsersService } from './accounts/users.service';
import { type WeeklyMails, WeeklyReports } from './accounts/weekly-reports';
import { auditedModels } from './audited-models';
import { buildFactors } from './factors/build-factors';
import { buildGroups } from './groups/build-groups';
import { buildInvitations } from './invitations/build-invitations';
import { ApplicationsService } from './oauth/applications.service';
import { AuthorizationsService } from './oauth/authorizations.service';
import { buildOAuth1, buildOAuth2 } from './oauth/build-oauth';
import { ClientSecrets } from './oauth/client-secrets';
import { buildOidc } from './oidc/build-oidc';

interface Parts {
  config: Config;
  clock: Clock;
  database: Database;
  secretBox: SecretBox;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
  refusedLogins: RefusedLogins;
  refusedAttempts: RefusedAttempts;
  registrationQuota: Quota;
  accountRemoval: AccountRemoval;
  accountMails: AccountMails;
  consents: MailConsents;
  delivery: { runner: DeliveryRunner };
  logger: Logger;
  publicUrl: string;
  weeklyMails: WeeklyMails;
  watches: OwnerWatches;
}

export function buildPeople({ config, clock, database, secretBox, sensorAccess, eventLog, ...parts }: Parts) {
  auditModels(auditedModels);
  const { refusedLogins, accountRemoval, accountMails, consents, logger } = parts;
  const keys = new KeysService(database, sensorAccess, eventLog, clock);
  const applications = new ApplicationsService(database, secretBox, clock);
  const authorizations = new AuthorizationsService(database, eventLog, clock);
  const clientSecrets = new ClientSecrets(secretBox, refusedLogins);
  const oauth2 = buildOAuth2({ database, clientSecrets, authorizations, eventLog, clock });
  const passwords = new Passwords();
  const { reauthentication, guardedPasswords, ...logins } = buildFactors({
    ...parts,
    ...{ config, clock, database, secretBox, passwords },
  });
  const { newMembers, providedMemberships, ...groups } = buildGroups({
    ...{ database, clock, sensorAccess, eventLog, logger, passwords, guardedPasswords },
  });
  const access = new AccountAccess(keys, authorizations, applications);
  const users = new UsersService(database, { passwords, reauthentication, access }, consents, clock, accountRemoval);
  const services = {
    ...logins,
    reauthentication,
    accountRemoval,
    applications,
    authorizations,
    blockedUsers: new BlockedUsersService(database, eventLog, clock),
    clientSecrets,
    keys,
    registrations: new RegistrationGate(config, parts.registrationQuota),
    disabledAccounts: new DisabledAccounts(database, clock, parts.watches),
    accounts: new AccountsService(database, passwords, reauthentication, access, consents, clock),
    passwordResets: new PasswordResets(database, accountMails, consents, clock),
    users,
    weeklyReports: new WeeklyReports({
      ...{ database, consents, clock, logger, runner: parts.delivery.runner, mails: parts.weeklyMails },
    }),
    ...buildOAuth1({ database, clientSecrets, secretBox, authorizations, clock }),
    ...oauth2,
    bearerTokens: new BearerTokens([keys, oauth2.oauth2Access]),
    ...groups,
    ...buildOidc({
      ...{ settings: config.oidc, database, clock, secretBox, logger },
      ...{ sessions: logins.sessions, users, reauthentication, consents, memberships: providedMemberships },
    }),
    ...buildInvitations({ database, clock, sensorAccess, eventLog, newMembers }),
  };
  return { services };
}

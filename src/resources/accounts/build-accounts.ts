import type { MailAllowances } from '../../delivery/mail/mail-allowances';
import type { Quota } from '../../fairness/quota';
import type { RefusedLogins } from '../../fairness/refused-logins';
import type { ApplicationsService } from '../../oauth/applications.service';
import type { AuthorizationsService } from '../../oauth/authorizations.service';
import type { Clock } from '../../platform/clock';
import type { Config } from '../../platform/config';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { MailConsents } from '../notifications/mail-consents';
import { AccountAccess } from './account-access';
import { AccountMails, type Mailer } from './account-mails';
import type { AccountRemoval } from './account-removal';
import { AccountsService } from './accounts.service';
import { DisabledAccounts } from './disabled-accounts';
import { GuardedPasswords } from './guarded-passwords';
import type { KeysService } from './keys.service';
import { PasswordResets } from './password-resets';
import { Passwords } from './passwords';
import { Reauthentication } from './reauthentication';
import { RegistrationGate } from './registration-gate';
import { SessionsService } from './sessions.service';
import { UsersService } from './users.service';

interface Parts {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  mailer: Mailer;
  mailAllowances: MailAllowances;
  publicUrl: string;
  refusedLogins: RefusedLogins;
  registrationQuota: Quota;
  accountRemoval: AccountRemoval;
  keys: KeysService;
  authorizations: AuthorizationsService;
  applications: ApplicationsService;
}

/** Builds the use cases of accounts, and the parts that other resources need. */
export function buildAccounts({ config, clock, logger, database, refusedLogins, accountRemoval, ...parts }: Parts) {
  const { mailer, mailAllowances, publicUrl, registrationQuota, keys, authorizations, applications } = parts;
  const passwords = new Passwords();
  const guardedPasswords = new GuardedPasswords(passwords, refusedLogins);
  const reauthentication = new Reauthentication(guardedPasswords, clock);
  const accountMails = new AccountMails(mailer, publicUrl, logger, mailAllowances, clock);
  const consents = new MailConsents(database, accountMails, config.mailConfirmation, clock);
  const access = new AccountAccess(keys, authorizations, applications);
  return {
    passwords,
    guardedPasswords,
    consents,
    registrations: new RegistrationGate(config, registrationQuota),
    sessions: new SessionsService(database, guardedPasswords, clock, config.sessionIdleDays),
    disabledAccounts: new DisabledAccounts(database, clock),
    accounts: new AccountsService(database, passwords, reauthentication, access, consents, clock),
    passwordResets: new PasswordResets(database, accountMails, consents, clock),
    users: new UsersService(database, { passwords, reauthentication, access }, consents, clock, accountRemoval),
  };
}

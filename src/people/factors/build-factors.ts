import type { RefusedAttempts } from '../../audit';
import type { MailConsents } from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Config } from '../../platform/config';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import { GuardedPasswords } from '../accounts/guarded-passwords';
import type { Passwords } from '../accounts/passwords';
import { Reauthentication } from '../accounts/reauthentication';
import type { RefusedLogins } from '../accounts/refused-logins';
import { SessionsService } from '../accounts/sessions.service';
import { Ceremonies } from './ceremonies';
import { Challenges } from './challenges';
import { FactorChanges } from './factor-changes';
import { PasskeysService } from './passkeys.service';
import { SecondFactors } from './second-factors';
import { SecondFactorsService } from './second-factors.service';

interface Parts {
  config: Config;
  clock: Clock;
  database: Database;
  secretBox: SecretBox;
  publicUrl: string;
  consents: MailConsents;
  passwords: Passwords;
  refusedLogins: RefusedLogins;
  refusedAttempts: RefusedAttempts;
}

/** Sessions, and what a login needs besides the password. */
export function buildFactors({ config, clock, database, secretBox, consents, ...parts }: Parts) {
  const guardedPasswords = new GuardedPasswords(parts.passwords, parts.refusedLogins);
  const factors = new SecondFactors(secretBox, clock);
  const reauthentication = new Reauthentication(database, guardedPasswords, factors, clock);
  const sessions = new SessionsService(
    database,
    guardedPasswords,
    factors,
    consents,
    parts.refusedAttempts,
    clock,
    config,
  );
  const changes = new FactorChanges(database, factors, consents);
  const challenges = new Challenges(secretBox, database.pool, clock);
  const ceremonies = new Ceremonies(parts.publicUrl);
  return {
    guardedPasswords,
    reauthentication,
    sessions,
    secondFactors: new SecondFactorsService(factors, changes, reauthentication, parts.publicUrl),
    passkeys: new PasskeysService({
      ...{ changes, reauthentication, guardedPasswords, sessions, ceremonies, challenges, clock },
    }),
  };
}

import type { GuessedLogin, RefusedLogins } from '../../fairness/refused-logins';
import type { Passwords } from './passwords';

/** A password that somebody gives: for what, from which address. */
export interface PasswordAttempt {
  guessed: GuessedLogin;
  address: string;
  /** As clients send it: 32 hexadecimal digits. */
  digest: string;
}

/** Checks passwords, and stops those who guess them. */
export class GuardedPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  /** A hash to store. */
  hash(digest: string): Promise<string> {
    return this.passwords.hash(digest);
  }

  /**
   * Whether the password is that of the hash; without a hash it is not, after the same time. TooMany when too many were
   * refused (see `RefusedLogins`), or too many from this address wait to be checked.
   */
  async matches(
    storedHash: string | null | undefined,
    { guessed, address, digest }: PasswordAttempt,
  ): Promise<boolean> {
    const admit = () => this.refusedLogins.check(guessed, address);
    const matches = await this.passwords.matches(storedHash ?? undefined, digest, { address, admit });
    // Of many guesses sent at once, those refused meanwhile must stop the right one, too.
    if (matches) await admit();
    else await this.refusedLogins.count(guessed, address);
    return matches;
  }
}

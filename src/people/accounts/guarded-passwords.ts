import type { Passwords } from './passwords';
import type { GuessedLogin, RefusedLogins } from './refused-logins';

/** A given password, with its purpose and the address of the request. */
export interface PasswordAttempt {
  guessed: GuessedLogin;
  address: string;
  /** As sent by clients: 32 hexadecimal digits. */
  digest: string;
}

/** Checks passwords, and limits guessing. */
export class GuardedPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  /** Makes a hash to store. */
  hash(digest: string): Promise<string> {
    return this.passwords.hash(digest);
  }

  /**
   * True if the password has this hash. Without a hash the answer is false, after the same time. TooMany if too many
   * were refused (see `RefusedLogins`), or if too many from this address wait for their check.
   */
  async matches(
    storedHash: string | null | undefined,
    { guessed, address, digest }: PasswordAttempt,
  ): Promise<boolean> {
    const admit = () => this.refusedLogins.check(guessed, address);
    const matches = await this.passwords.matches(storedHash ?? undefined, digest, { address, admit });
    // If many guesses arrive at once, the refusals meanwhile must stop the right one as well.
    if (matches) await admit();
    else await this.refusedLogins.count(guessed, address);
    return matches;
  }
}

import type { Passwords } from './passwords';
import type { GuessedLogin, RefusedLogins } from './refused-logins';

export interface Guess {
  guessed: GuessedLogin;
  address: string;
}

export interface PasswordAttempt extends Guess {
  digest: string;
}

export class GuardedPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly refusedLogins: Pick<RefusedLogins, 'check' | 'count'>,
  ) {}

  hash(digest: string): Promise<string> {
    return this.passwords.hash(digest);
  }

  /**
   * Without a hash, or with an empty one, false after the same time. Throws TooMany if too many were refused (`RefusedLogins`), or wait for
   * their check.
   */
  async matches(
    storedHash: string | null | undefined,
    { guessed, address, digest }: PasswordAttempt,
  ): Promise<boolean> {
    const admit = () => this.refusedLogins.check(guessed, address);
    const matches = await this.passwords.matches(storedHash || undefined, digest, { address, admit });
    return this.judge(matches, { guessed, address });
  }

  /** Does it for a code, counted together with passwords. What `check` did must be undone if this throws. */
  async accepts({ guessed, address }: Guess, check: () => Promise<boolean>): Promise<boolean> {
    await this.refusedLogins.check(guessed, address);
    return this.judge(await check(), { guessed, address });
  }

  /** If many guesses arrive at once, the refusals meanwhile must stop the right one as well. */
  private async judge(isRight: boolean, { guessed, address }: Guess): Promise<boolean> {
    if (isRight) await this.refusedLogins.check(guessed, address);
    else await this.refusedLogins.count(guessed, address);
    return isRight;
  }
}

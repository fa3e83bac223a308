import type { RefusedLogins } from '../../redis/refused-logins';
import type { Passwords } from './passwords';

/** A password that somebody gives: for which name, from which address. */
export interface PasswordAttempt {
  /** What refused passwords are counted by, in addition to the address. */
  name: string;
  address: string;
  /** As clients send it: 32 hexadecimal digits. */
  digest: string;
}

/** Checks passwords, and stops those who guess them. */
export class GuardedPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly refusedLogins: RefusedLogins,
  ) {}

  /**
   * Whether the password is that of the hash; without a hash it is not, after the same time. TooMany when too many were
   * refused for this name or from this address.
   */
  async matches(storedHash: string | null | undefined, { name, address, digest }: PasswordAttempt): Promise<boolean> {
    await this.refusedLogins.check(name, address);
    const matches = await this.passwords.matches(storedHash ?? undefined, digest);
    // Of many guesses sent at once, those refused meanwhile must stop the right one, too.
    if (matches) await this.refusedLogins.check(name, address);
    else await this.refusedLogins.count(name, address);
    return matches;
  }
}

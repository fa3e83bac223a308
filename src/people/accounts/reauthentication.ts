import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden, WRONG_CODE } from '../../platform/errors';
import type { Database } from '../../storage';
import { Session } from '../../storage/models/session.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import type { SecondFactors } from '../factors/second-factors';
import type { GuardedPasswords } from './guarded-passwords';

/** After a login the user need not give their password for this long. */
const RECENT_MS = 10 * 60_000;

/** What a user proves themselves by, during a session. */
export interface Proof {
  current_password?: string;
  otp?: string;
}

/** Ensures that the user, and not a thief of a session, changes the ways to log in. */
export class Reauthentication {
  constructor(
    private readonly database: Database,
    private readonly passwords: GuardedPasswords,
    private readonly factors: Pick<SecondFactors, 'use'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws Forbidden for a wrong password, TooMany after many in this session. Refused logins of others do not count.
   */
  async requirePassword(caller: SessionCaller, user: User | null, digest: string): Promise<void> {
    const guessed = { kind: 'session', name: String(caller.credential.id) } as const;
    const matches = await this.passwords.matches(user?.passwordHash, { guessed, address: caller.network, digest });
    if (!matches) throw new Forbidden('the current password is wrong', 'wrong_password');
  }

  /** Accepts a code of a second factor instead. Throws Forbidden if both are missing, or if what is given is wrong. */
  async requireProof(caller: SessionCaller, { current_password: digest, otp }: Proof): Promise<void> {
    if (otp === undefined) {
      const user = await User.findByPk(caller.userId);
      if (user?.passwordHash === '') return this.requireRecent(caller, user, undefined); // signs in by an identity
      if (digest === undefined) throw new Forbidden('current_password or otp is required', 'password_required');
      return this.requirePassword(caller, user, digest);
    }
    await inTransaction(this.database.sequelize, (transaction) =>
      this.requireCode(caller, () => this.factors.use(caller.userId, otp, transaction)),
    );
  }

  /** Guesses count together with those of the password. Throws Forbidden, TooMany. */
  async requireCode({ credential, network: address }: SessionCaller, check: () => Promise<boolean>): Promise<void> {
    const guessed = { kind: 'session', name: String(credential.id) } as const;
    if (!(await this.passwords.accepts({ guessed, address }, check))) throw new Forbidden(WRONG_CODE, 'wrong_code');
  }

  /** Accepts a login within the last ten minutes instead. Throws Forbidden if the password is required and missing. */
  async requireRecent(caller: SessionCaller, user: User | null, digest: string | undefined): Promise<void> {
    if (digest !== undefined) return this.requirePassword(caller, user, digest);
    const session = await Session.findByPk(caller.credential.id);
    if (session && this.clock.now() - session.createdMs <= RECENT_MS) return;
    const why = 'is required, as this session is older than ten minutes';
    throw new Forbidden(`user.current_password ${why}`, 'password_required');
  }
}

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

export interface Proof {
  current_password?: string;
  otp?: string;
}

/** Ensures that the user, and not a thief of a session, changes the ways to log in. */
export class Reauthentication {
  constructor(
    private readonly database: Database,
    private readonly passwords: GuardedPasswords,
    private readonly factors: Pick<SecondFactors, 'use' | 'kindsOf'>,
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

  /**
   * Accepts a code of a second factor instead, and without a password a login within the last ten minutes. Throws
   * Forbidden if all are missing, or if what is given is wrong.
   */
  async requireProof(caller: SessionCaller, proof: Proof): Promise<void> {
    const user = await User.findByPk(caller.userId);
    if (await this.isProven(caller, user, proof)) return;
    if (user?.passwordHash === '') return this.requireRecentLogin(caller);
    throw new Forbidden('current_password or otp is required', 'password_required');
  }

  /**
   * Accepts a login within the last ten minutes instead of a proof, unless the account has a password and a second
   * factor: with a new password, a thief of the session could remove the factor. Throws Forbidden.
   */
  async requireRecent(caller: SessionCaller, user: User | null, proof: Proof): Promise<void> {
    if (await this.isProven(caller, user, proof)) return;
    if (user?.passwordHash === '') return this.requireRecentLogin(caller);
    const hasFactor = (await this.factors.kindsOf(caller.userId)).length > 0;
    if (!hasFactor && (await this.isRecent(caller))) return;
    const why = hasFactor ? OF_FACTOR : OF_AGE;
    throw new Forbidden(`user.current_password ${why}`, 'password_required');
  }

  /** Guesses count together with those of the password. Throws Forbidden, TooMany. */
  async requireCode({ credential, network: address }: SessionCaller, check: () => Promise<boolean>): Promise<void> {
    const guessed = { kind: 'session', name: String(credential.id) } as const;
    if (!(await this.passwords.accepts({ guessed, address }, check))) throw new Forbidden(WRONG_CODE, 'wrong_code');
  }

  /** False if nothing is given. Throws Forbidden for what is wrong. */
  private async isProven(caller: SessionCaller, user: User | null, proof: Proof): Promise<boolean> {
    const { current_password: digest, otp } = proof;
    if (otp !== undefined) {
      await inTransaction(this.database.sequelize, (transaction) =>
        this.requireCode(caller, () => this.factors.use(caller.userId, otp, transaction)),
      );
      return true;
    }
    if (digest !== undefined) await this.requirePassword(caller, user, digest);
    return digest !== undefined;
  }

  private async requireRecentLogin(caller: SessionCaller): Promise<void> {
    if (await this.isRecent(caller)) return;
    const advice = 'log in again: this account has no password, and this session is older than ten minutes';
    throw new Forbidden(advice, 'login_required');
  }

  private async isRecent({ credential }: SessionCaller): Promise<boolean> {
    const session = await Session.findByPk(credential.id);
    return session !== null && this.clock.now() - session.createdMs <= RECENT_MS;
  }
}

const OF_AGE = 'is required, as this session is older than ten minutes';
const OF_FACTOR = 'is required, as this account has a second factor';

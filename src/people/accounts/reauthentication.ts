import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden } from '../../platform/errors';
import { Session } from '../../storage/models/session.model';
import type { User } from '../../storage/models/user.model';
import type { GuardedPasswords } from './guarded-passwords';

/** After a login the user need not give their password for this long. */
const RECENT_MS = 10 * 60_000;

/** Ensures that the user, and not a thief of a session, changes the ways to log in. */
export class Reauthentication {
  constructor(
    private readonly passwords: GuardedPasswords,
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

  /** Accepts a login within the last ten minutes instead. Throws Forbidden if the password is required and missing. */
  async requireRecent(caller: SessionCaller, user: User | null, digest: string | undefined): Promise<void> {
    if (digest !== undefined) return this.requirePassword(caller, user, digest);
    const session = await Session.findByPk(caller.credential.id);
    if (session && this.clock.now() - session.createdMs <= RECENT_MS) return;
    const why = 'is required, as this session is older than ten minutes';
    throw new Forbidden(`user.current_password ${why}`, 'password_required');
  }
}

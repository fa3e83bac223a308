import { Op } from 'sequelize';
import { isOwnerOpen } from '../../access/link-owner';
import type { MailConsents, OtherAccess } from '../../notifications';
import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden, InvalidInput } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import { PasswordReset } from '../../storage/models/password-reset.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction, runOn } from '../../storage/transaction';
import type { AccountAccess } from './account-access';
import type { Passwords } from './passwords';
import type { Reauthentication } from './reauthentication';

export interface NewPassword {
  password: string;
  endEverything?: boolean;
}

export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly reauthentication: Reauthentication,
    private readonly access: AccountAccess,
    private readonly consents: Pick<MailConsents, 'reportChange'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends all other sessions, and mails the account. Throws Forbidden for a wrong current password, TooMany after many.
   */
  async changePassword(
    caller: SessionCaller,
    currentPassword: string,
    { password, endEverything }: NewPassword,
  ): Promise<OtherAccess> {
    const user = await User.findByPk(caller.userId);
    if (user?.passwordHash === '') throw new Forbidden(NO_PASSWORD, 'wrong_password');
    await this.reauthentication.requirePassword(caller, user, currentPassword);
    if (!user) throw wrongPassword();
    const passwordHash = await this.passwords.hash(password);
    const otherAccess = await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id: user.id, passwordHash: user.passwordHash };
      const [changed] = await User.update({ passwordHash }, { where, transaction });
      if (changed === 0) throw wrongPassword(); // another request changed it meanwhile
      const end = { exceptSessionId: caller.credential.id, everything: endEverything };
      return this.access.end(user.id, transaction, end);
    });
    await this.consents.reportChange(user.id, user.email, { what: ['password'], otherAccess });
    return otherAccess;
  }

  /** Takes the one-time token of a mail. Ends all sessions, and mails the account. Returns the username. */
  async resetPassword(
    token: string,
    { password, endEverything }: NewPassword,
  ): Promise<{ username: string; otherAccess: OtherAccess }> {
    const where = { tokenHash: hashSecret(token), expiresMs: { [Op.gt]: this.clock.now() } };
    const reset = await PasswordReset.findOne({ where });
    if (!reset || !(await isOwnerOpen(runOn(this.database.pool), reset.userId))) throw invalidToken();
    const passwordHash = await this.passwords.hash(password);
    const { user, otherAccess } = await inTransaction(this.database.sequelize, async (transaction) => {
      const found = await User.findByPk(reset.userId, forUpdate(transaction));
      const used = await PasswordReset.destroy({ where: { id: reset.id }, transaction });
      if (!found || used === 0) throw invalidToken();
      await found.update({ passwordHash }, { transaction });
      return { user: found, otherAccess: await this.access.end(found.id, transaction, { everything: endEverything }) };
    });
    await this.consents.reportChange(user.id, user.email, { what: ['password'], otherAccess });
    return { username: user.username, otherAccess };
  }
}

const NO_PASSWORD = 'this account has no password: choose one with PUT /users/{id}, within ten minutes of a login';

function wrongPassword(): Forbidden {
  return new Forbidden('the current password is wrong', 'wrong_password');
}

function invalidToken(): InvalidInput {
  return new InvalidInput(
    'the token is unknown, used or too old',
    { token: 'is unknown, used or too old' },
    'dead_token',
  );
}

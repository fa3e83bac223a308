import { randomBytes } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { SessionCaller } from '../../caller';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { forUpdate, inTransaction } from '../../database/transaction';
import { usernameKey } from '../../domain/account';
import { hashSecret } from '../../domain/session-id';
import { Forbidden, InvalidInput, NotFound, TooMany } from '../../errors';
import { PasswordReset } from '../../models/password-reset.model';
import { Session } from '../../models/session.model';
import { User } from '../../models/user.model';
import type { AccountMails } from './account-mails';
import type { Passwords } from './passwords';
import type { Reauthentication } from './reauthentication';

const RESET_LIFE_MS = 3_600_000;
/** So that nobody can fill another user's mailbox by asking for resets repeatedly. */
const MAX_PENDING_RESETS = 5;
/** An email address may belong to several accounts; each of them gets its own link. */
const MAX_ACCOUNTS_PER_ADDRESS = 10;

/** The passwords of accounts: changing a known one, replacing a forgotten one. */
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly mails: AccountMails,
    private readonly clock: Clock,
    private readonly reauthentication: Reauthentication,
  ) {}

  /** Changes the password, which ends all other sessions of the user; Forbidden when the current password is wrong, TooMany after many wrong ones. */
  async changePassword(caller: SessionCaller, currentPassword: string, newPassword: string): Promise<void> {
    const user = await User.findByPk(caller.userId);
    await this.reauthentication.requirePassword(caller, user, currentPassword);
    if (!user) throw wrongPassword();
    const passwordHash = await this.passwords.hash(newPassword);
    await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id: user.id, passwordHash: user.passwordHash };
      const [changed] = await User.update({ passwordHash }, { where, transaction });
      if (changed === 0) throw wrongPassword(); // another request changed it meanwhile
      await endAccess(user.id, transaction, caller.credential.id);
    });
    await this.mails.changed(user.id, user.email, ['password']);
  }

  /**
   * Mails a link with a one-time token to the account's address; NotFound for an unknown account. Where an address has
   * several accounts, those with too many pending links get no other; TooMany when all of them have too many.
   */
  async requestPasswordReset({ username, email }: { username?: string; email?: string }): Promise<void> {
    if (!username && !email) throw new InvalidInput('a username or an email is required', { username: 'is missing' });
    const where = { ...(username && { usernameKey: usernameKey(username) }), ...(email && { email }) };
    const users = await User.findAll({ where, order: ['id'], limit: MAX_ACCOUNTS_PER_ADDRESS });
    if (users.length === 0) throw new NotFound('the account');
    let refusal: TooMany | undefined;
    let mailed = 0;
    for (const { id } of users) {
      try {
        await this.mailReset(id);
        mailed += 1;
      } catch (error) {
        if (!(error instanceof TooMany)) throw error;
        refusal = error;
      }
    }
    if (refusal && mailed === 0) throw refusal;
  }

  /** Sets a new password with the one-time token of a mail, which ends all sessions of the user. Returns the username. */
  async resetPassword(token: string, password: string): Promise<string> {
    const where = { tokenHash: hashSecret(token), expiresMs: { [Op.gt]: this.clock.now() } };
    const reset = await PasswordReset.findOne({ where });
    if (!reset) throw invalidToken();
    const passwordHash = await this.passwords.hash(password);
    return inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findByPk(reset.userId, forUpdate(transaction));
      const used = await PasswordReset.destroy({ where: { id: reset.id }, transaction });
      if (!user || used === 0) throw invalidToken();
      await User.update({ passwordHash }, { where: { id: reset.userId }, transaction });
      await endAccess(reset.userId, transaction);
      return user.username;
    });
  }

  private async mailReset(userId: number): Promise<void> {
    const token = randomBytes(24).toString('base64url');
    const { user, reset } = await inTransaction(this.database.sequelize, async (transaction) => {
      // Locked and read again: a change of the email ends the links mailed so far, so this one must go to the new address.
      const user = await User.findByPk(userId, forUpdate(transaction));
      if (!user) throw new NotFound('the account');
      const now = this.clock.now();
      await PasswordReset.destroy({ where: { userId, expiresMs: { [Op.lte]: now } }, transaction });
      const pending = await PasswordReset.findAll({ where: { userId }, order: ['expiresMs'], transaction });
      const [oldest] = pending;
      if (oldest && pending.length >= MAX_PENDING_RESETS) {
        throw new TooMany(
          'too many mails were requested; use the last one',
          Math.ceil((oldest.expiresMs - now) / 1000),
        );
      }
      const row = { tokenHash: hashSecret(token), userId, expiresMs: now + RESET_LIFE_MS };
      return { user, reset: await PasswordReset.create(row, { transaction }) };
    });
    try {
      await this.mails.passwordReset(user, token);
    } catch (error) {
      await reset.destroy(); // not delivered, so it must not count
      throw error;
    }
  }
}

/** Deletes the sessions of a user, except for one when given, and their pending password resets. */
export async function endAccess(userId: number, transaction: Transaction, exceptSessionId = 0): Promise<void> {
  await Session.destroy({ where: { userId, id: { [Op.ne]: exceptSessionId } }, transaction });
  await PasswordReset.destroy({ where: { userId }, transaction });
}

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

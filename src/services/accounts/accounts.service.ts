import { randomBytes } from 'node:crypto';
import { Op, type Transaction } from 'sequelize';
import type { Caller } from '../../caller';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import { usernameKey } from '../../domain/account';
import { hashSecret } from '../../domain/session-id';
import { Forbidden, InvalidInput, NotFound, TooMany } from '../../errors';
import { PasswordReset } from '../../models/password-reset.model';
import { Session } from '../../models/session.model';
import { User } from '../../models/user.model';
import type { AccountMails } from './account-mails';
import type { Passwords } from './passwords';

const RESET_LIFE_MS = 3_600_000;
/** Nobody's mailbox is to be filled by asking for resets again and again. */
const MAX_PENDING_RESETS = 5;
/** An email address may belong to several accounts; each of them gets its own link. */
const MAX_ACCOUNTS_OF_ADDRESS = 10;

/** Passwords of accounts: changing a known one, replacing a forgotten one. */
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly mails: AccountMails,
    private readonly clock: Clock,
  ) {}

  /** Forbidden when the current password is wrong; all other sessions of the user end. */
  async changePassword(caller: Caller, currentPassword: string, newPassword: string): Promise<void> {
    const user = await User.findByPk(caller.userId);
    const matches = await this.passwords.matches(user?.passwordHash, currentPassword);
    if (!user || !matches) throw wrongPassword();
    const passwordHash = await this.passwords.hash(newPassword);
    await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id: user.id, passwordHash: user.passwordHash };
      const [changed] = await User.update({ passwordHash }, { where, transaction });
      if (changed === 0) throw wrongPassword(); // somebody else changed it meanwhile
      await endAccess(user.id, transaction, caller.sessionId);
    });
  }

  /**
   * Mails a link with a one-time token to the account's address; NotFound for an unknown account. Of several accounts
   * of one address, those with too many links get no other; TooMany when that is so of all.
   */
  async requestPasswordReset({ username, email }: { username?: string; email?: string }): Promise<void> {
    if (!username && !email) throw new InvalidInput('a username or an email is required', { username: 'is missing' });
    const where = { ...(username && { usernameKey: usernameKey(username) }), ...(email && { email }) };
    const users = await User.findAll({ where, order: ['id'], limit: MAX_ACCOUNTS_OF_ADDRESS });
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

  /** Sets a new password by a token out of a mail, once; all sessions of the user end. Tells the username. */
  async resetPassword(token: string, password: string): Promise<string> {
    const where = { tokenHash: hashSecret(token), expiresMs: { [Op.gt]: this.clock.now() } };
    const reset = await PasswordReset.findOne({ where });
    if (!reset) throw deadToken();
    const passwordHash = await this.passwords.hash(password);
    return inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findByPk(reset.userId, { transaction, lock: transaction.LOCK.UPDATE });
      const used = await PasswordReset.destroy({ where: { id: reset.id }, transaction });
      if (!user || used === 0) throw deadToken();
      await User.update({ passwordHash }, { where: { id: reset.userId }, transaction });
      await endAccess(reset.userId, transaction);
      return user.username;
    });
  }

  private async mailReset(userId: number): Promise<void> {
    const token = randomBytes(24).toString('base64url');
    const { user, reset } = await inTransaction(this.database.sequelize, async (transaction) => {
      // Held and read anew: a change of the email ends the links mailed so far, so this one must know the new address.
      const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!user) throw new NotFound('the account');
      const now = this.clock.now();
      await PasswordReset.destroy({ where: { userId, expiresMs: { [Op.lte]: now } }, transaction });
      const pending = await PasswordReset.findAll({ where: { userId }, order: ['expiresMs'], transaction });
      const [oldest] = pending;
      if (oldest && pending.length >= MAX_PENDING_RESETS) {
        throw new TooMany(
          'too many mails were asked for; use the last one',
          Math.ceil((oldest.expiresMs - now) / 1000),
        );
      }
      const row = { tokenHash: hashSecret(token), userId, expiresMs: now + RESET_LIFE_MS };
      return { user, reset: await PasswordReset.create(row, { transaction }) };
    });
    try {
      await this.mails.passwordReset(user, token);
    } catch (error) {
      await reset.destroy(); // nobody got it, so it must not count
      throw error;
    }
  }
}

/** Ends the sessions of a user (but one, when given) and his pending resets. */
export async function endAccess(userId: number, transaction: Transaction, exceptSessionId = 0): Promise<void> {
  await Session.destroy({ where: { userId, id: { [Op.ne]: exceptSessionId } }, transaction });
  await PasswordReset.destroy({ where: { userId }, transaction });
}

function wrongPassword(): Forbidden {
  return new Forbidden('the current password is wrong', 'wrong_password');
}

function deadToken(): InvalidInput {
  return new InvalidInput(
    'the token is unknown, used or too old',
    { token: 'is unknown, used or too old' },
    'dead_token',
  );
}

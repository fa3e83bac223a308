import { randomBytes } from 'node:crypto';
import { Op } from 'sequelize';
import { addressKey } from '../../edge/mail-address';
import type { AccountMails, MailConsents, ResetLink } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound, PlatformError, TooMany } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import { PasswordReset } from '../../storage/models/password-reset.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { usernameKey } from './account';

const RESET_LIFE_MS = 3_600_000;
/** An attacker cannot fill a mailbox by repeated requests. */
const MAX_PENDING_RESETS = 5;
/** An address may belong to several accounts; each gets a link of its own, all in one mail. */
const MAX_ACCOUNTS_PER_MAIL = 10;
/** Confirmed accounts come first: an attacker can register others with the address. */
const MAX_ACCOUNTS_LOOKED_AT = 100;

export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    private readonly consents: MailConsents,
    private readonly clock: Clock,
  ) {}

  /**
   * One mail for all accounts of an address. Throws NotFound for an unknown account, TooMany if all have too many
   * pending links, Conflict if the address refuses such mails.
   */
  async request({ username, email }: { username?: string; email?: string }): Promise<void> {
    if (!username && !email) throw new InvalidInput('a username or an email is required', { username: 'is missing' });
    const where = { ...(username && { usernameKey: usernameKey(username) }), ...(email && { email }) };
    const users = await User.findAll({ where, order: ['id'], limit: MAX_ACCOUNTS_LOOKED_AT });
    if (users.length === 0) throw new NotFound('the account');
    // MySQL also finds addresses with a similar spelling: no mailbox may get the links of another.
    const addresses = new Set(users.map(({ email: own }) => addressKey(own)));
    const refusals: PlatformError[] = [];
    for (const address of addresses) {
      await this.mail(users.filter(({ email: own }) => addressKey(own) === address)).catch((error: unknown) => {
        if (!(error instanceof TooMany || error instanceof Conflict)) throw error;
        refusals.push(error);
      });
    }
    const [refusal] = refusals;
    if (refusal && refusals.length === addresses.size) throw refusal;
  }

  private async mail(accounts: readonly User[]): Promise<void> {
    const decided = await Promise.all(
      accounts.map(async (user) => ({ user, ...(await this.consents.resetsOf(user)) })),
    );
    const wanted = decided
      .filter(({ isRefused }) => !isRefused)
      .sort((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed))
      .slice(0, MAX_ACCOUNTS_PER_MAIL);
    if (wanted.length === 0) throw refusedByAddress();
    const links: (ResetLink & { isConfirmed: boolean })[] = [];
    let refusal: TooMany | undefined;
    for (const { user, isConfirmed } of wanted) {
      const token = await this.createToken(user).catch((error: unknown) => {
        if (error instanceof TooMany) refusal = error;
        else throw error;
      });
      if (token) links.push({ userId: user.id, language: user.language, token, isConfirmed });
    }
    const [first] = links;
    if (!first) throw refusal ?? new NotFound('the account');
    try {
      await this.mails.passwordReset(
        wanted[0]?.user.email ?? '',
        links,
        links.some(({ isConfirmed }) => isConfirmed),
      );
    } catch (error) {
      // Not delivered, so it must not count.
      await PasswordReset.destroy({ where: { tokenHash: links.map(({ token }) => hashSecret(token)) } });
      throw error;
    }
  }

  /** Undefined if the account's address has changed. Throws TooMany if too many are pending. */
  private createToken({ id: userId, email }: User): Promise<string | undefined> {
    const token = randomBytes(24).toString('base64url');
    return inTransaction(this.database.sequelize, async (transaction) => {
      // Locked and read again: a change of the email ends the links mailed so far, so this one must not go to the
      // former address.
      const user = await User.findByPk(userId, forUpdate(transaction));
      if (user?.email !== email) return undefined;
      const now = this.clock.now();
      await PasswordReset.destroy({ where: { userId, expiresMs: { [Op.lte]: now } }, transaction });
      const pending = await PasswordReset.findAll({ where: { userId }, order: ['expiresMs'], transaction });
      const [oldest] = pending;
      if (oldest && pending.length >= MAX_PENDING_RESETS) {
        const seconds = Math.ceil((oldest.expiresMs - now) / 1000);
        throw new TooMany('too many mails were requested; use the last one', seconds);
      }
      await PasswordReset.create(
        { tokenHash: hashSecret(token), userId, expiresMs: now + RESET_LIFE_MS },
        { transaction },
      );
      return token;
    });
  }
}

function refusedByAddress(): Conflict {
  return new Conflict(
    'the address of this account takes no mails about it: only its owner can allow them, by the link in a mail that it got',
  );
}

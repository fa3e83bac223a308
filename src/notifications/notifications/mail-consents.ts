import type { ResultSetHeader } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Clock } from '../../platform/clock';
import { Conflict } from '../../platform/errors';
import { Words } from '../../platform/words/words';
import type { Database } from '../../storage';
import { User } from '../../storage/models/user.model';
import { runIn, runOn } from '../../storage/transaction';
import type { Account, AccountChange, AccountMails } from '../delivery/mail/account-mails';
import {
  findRecipient,
  findRefusedAddresses,
  isMail,
  isRefused,
  knowRecipient,
  type MailConfirmation,
  type MailRecipient,
  whyNotMailed,
} from '../delivery/mail/mail-recipients';
import { recipientToken } from './recipient-token';

/** Requests to confirm from one user to one address. */
const MAX_ASKED = 3;

const NOBODY = { confirmedMs: null, unsubscribedMs: null, refusedMs: null };

export interface Destination {
  type: string;
  destination: string;
}

/** Asks the addresses of mails for their consent. */
export class MailConsents {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    private readonly confirmation: MailConfirmation,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the recipient until the end of the transaction; a new one is not confirmed. Afterwards, call `askOnce` or
   * `welcome`.
   */
  know(ownerId: number, address: string, transaction: Transaction): Promise<MailRecipient> {
    const nowMs = this.clock.now();
    const confirmedMs = this.confirmation === 'off' ? nowMs : null;
    return knowRecipient(runIn(this.database.sequelize, transaction), { ownerId, address, confirmedMs }, nowMs);
  }

  /** Null if the recipient may get a mail. */
  whyNot(recipient: MailRecipient): string | null {
    return whyNotMailed(recipient, this.confirmation);
  }

  async accepts(ownerId: number, address: string): Promise<boolean> {
    return whyNotMailed((await this.find(ownerId, address)) ?? NOBODY, this.confirmation) === null;
  }

  /** Conflict if the recipient of a mail refuses, or has not decided yet. Other channels need no consent. */
  async require(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) return;
    const recipient = await this.find(ownerId, destination);
    const reason = whyNotMailed(recipient ?? NOBODY, this.confirmation);
    if (reason !== null) throw new Conflict(reason);
  }

  /** Asks an address only the first time. Never fails: the owner can ask again. */
  async askOnce(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) return;
    const recipient = await this.find(ownerId, destination);
    if (!recipient || this.whyNot(recipient) === null) return;
    if (hasRefused(recipient) || recipient.asked > 0) return;
    await this.ask(recipient, destination).catch((error: unknown) => this.mails.reportUnasked(ownerId, error));
  }

  /** Conflict if no consent is needed, TooMany beyond the hourly limit. */
  async askAgain(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) throw new Conflict('only the recipients of mails are asked to confirm');
    const recipient = await this.find(ownerId, destination);
    const reason = recipient ? this.whyNot(recipient) : null;
    if (!recipient || reason === null) throw new Conflict('the address is confirmed already');
    if (hasRefused(recipient)) throw new Conflict(`${reason}: only they can allow them again`);
    if (recipient.asked >= MAX_ASKED) {
      throw new Conflict(`the address was asked ${MAX_ASKED} times already: only its owner can confirm now`);
    }
    await this.ask(recipient, destination);
  }

  /**
   * Welcomes a new user, and asks the address to confirm if needed. Never fails. A mailbox that refuses all mails gets
   * none.
   */
  async welcome(user: User): Promise<void> {
    try {
      const recipient = await this.find(user.id, user.email);
      if (!recipient || hasRefused(recipient)) throw new Error('the mailbox takes no mails of this platform');
      if (this.whyNot(recipient) === null) await this.mails.welcome(user);
      else await this.countAsked(recipient, () => this.mails.welcome(user, recipientToken(recipient)));
    } catch (error) {
      this.mails.reportUnasked(user.id, error);
    }
  }

  /** Reports to the former address, if that is confirmed and accepts mails. Never fails. */
  async reportChange(userId: number, formerAddress: string, change: AccountChange): Promise<void> {
    if (await this.isProved(userId, formerAddress)) {
      await this.mails.changed(await accountOf(userId), formerAddress, change);
    }
  }

  /** Reports a login from a new network, if the address is confirmed and accepts mails. Never fails. */
  async reportSignIn(userId: number, address: string, from: string): Promise<void> {
    if (await this.isProved(userId, address)) await this.mails.signedIn(await accountOf(userId), address, from);
  }

  private async isProved(userId: number, address: string): Promise<boolean> {
    const recipient = await this.find(userId, address);
    const isProved = recipient && (this.confirmation === 'off' || recipient.confirmedMs !== null);
    return isProved === true && !isRefused(recipient);
  }

  /**
   * A confirmed address gets links to a new password despite other refusals: without them a lost password is final, and
   * it cannot have confirmed another person's account.
   */
  async resetsOf({ id, email }: User): Promise<{ isConfirmed: boolean; isRefused: boolean }> {
    const recipient = (await this.find(id, email)) ?? NOBODY;
    const isConfirmed = recipient.confirmedMs !== null;
    return { isConfirmed, isRefused: !isConfirmed && hasRefused(recipient) };
  }

  /** Those whose mailboxes refuse the mails of all accounts. */
  async refusedAmong(
    ownerId: number,
    notifications: readonly (Destination & { id: number })[],
  ): Promise<ReadonlySet<number>> {
    const mails = notifications.filter(({ type }) => isMail(type));
    const run = runOn(this.database.pool);
    const addresses = await findRefusedAddresses(run, [...new Set(mails.map(({ destination }) => destination))]);
    const refused = new Set<string>();
    for (const address of addresses) {
      if (isRefused((await this.find(ownerId, address)) ?? { confirmedMs: null, refusedMs: 0 })) refused.add(address);
    }
    return new Set(mails.filter(({ destination }) => refused.has(destination)).map(({ id }) => id));
  }

  private find(ownerId: number, address: string): Promise<MailRecipient | undefined> {
    return findRecipient(runOn(this.database.pool), ownerId, address);
  }

  private async ask(recipient: MailRecipient, address: string): Promise<void> {
    const account = await accountOf(recipient.ownerId);
    const send = () => this.mails.confirmation(account, address, recipientToken(recipient));
    return this.countAsked(recipient, send);
  }

  /** Only one of two concurrent requests then sends the mail. */
  private async countAsked({ id, asked }: MailRecipient, send: () => Promise<void>): Promise<void> {
    const [counted] = await this.database.pool.query<ResultSetHeader>(
      'UPDATE mail_recipients SET asked = asked + 1 WHERE id = ? AND asked = ?',
      [id, asked],
    );
    if (counted.affectedRows === 0) return;
    try {
      await send();
    } catch (error) {
      await this.database.pool.query('UPDATE mail_recipients SET asked = asked - 1 WHERE id = ?', [id]);
      throw error;
    }
  }
}

async function accountOf(id: number): Promise<Account> {
  const user = await User.findByPk(id, { attributes: ['language'] });
  return { id, words: Words.in(user?.language) };
}

/** True for a refusal of this user or of all users. */
function hasRefused(recipient: Pick<MailRecipient, 'confirmedMs' | 'unsubscribedMs' | 'refusedMs'>): boolean {
  return recipient.unsubscribedMs !== null || isRefused(recipient);
}

/** Only the recipient can allow mails again. */
export function unsubscribed(): Conflict {
  return new Conflict('the recipient has unsubscribed from your mails: only they can allow them again');
}

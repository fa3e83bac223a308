import type { ResultSetHeader } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { runIn, runOn } from '../../database/transaction';
import {
  findRecipient,
  isMail,
  knowRecipient,
  type MailConfirmation,
  type MailRecipient,
  whyNotMailed,
} from '../../deliveries/mail-recipients';
import { recipientToken } from '../../domain/recipient-token';
import { Conflict } from '../../errors';
import type { AccountMails } from '../accounts/account-mails';

/** Requests to confirm that one user can have sent to one address, in all. */
const MAX_ASKED = 3;

/** Where a notification goes. */
export interface Destination {
  type: string;
  destination: string;
}

/** Asks the addresses of mails whether they want them. */
export class MailConsents {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    private readonly confirmation: MailConfirmation,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the recipient of a user's mails to this address until the end of the transaction; one that is new is not
   * confirmed. Afterwards, call `askOnce`.
   */
  know(ownerId: number, address: string, transaction: Transaction, confirmed = false): Promise<MailRecipient> {
    const nowMs = this.clock.now();
    const confirmedMs = confirmed || this.confirmation === 'off' ? nowMs : null;
    return knowRecipient(runIn(this.database.sequelize, transaction), { ownerId, address, confirmedMs }, nowMs);
  }

  /** Why a recipient must not get a mail, or null when they may. */
  whyNot(recipient: MailRecipient): string | null {
    return whyNotMailed(recipient, this.confirmation);
  }

  /** Conflict when the recipient of a user's mail does not want it, or has not been heard yet. Other channels ask nobody. */
  async require(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) return;
    const recipient = await findRecipient(runOn(this.database.pool), ownerId, destination);
    const reason = whyNotMailed(recipient ?? { confirmedMs: null, unsubscribedMs: null }, this.confirmation);
    if (reason !== null) throw new Conflict(reason);
  }

  /** Asks an address that has neither confirmed nor been asked before. Never fails: the owner can ask again. */
  async askOnce(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) return;
    const recipient = await findRecipient(runOn(this.database.pool), ownerId, destination);
    if (!recipient || this.whyNot(recipient) === null) return;
    if (recipient.unsubscribedMs !== null || recipient.asked > 0) return;
    await this.ask(recipient, destination).catch((error: unknown) => this.mails.reportUnasked(ownerId, error));
  }

  /** Asks again; Conflict when there is nothing to ask, TooMany when the hour is used up. */
  async askAgain(ownerId: number, { type, destination }: Destination): Promise<void> {
    if (!isMail(type)) throw new Conflict('only the recipients of mails are asked to confirm');
    const recipient = await findRecipient(runOn(this.database.pool), ownerId, destination);
    if (!recipient || this.whyNot(recipient) === null) throw new Conflict('the address is confirmed already');
    if (recipient.unsubscribedMs !== null) throw unsubscribed();
    if (recipient.asked >= MAX_ASKED) {
      throw new Conflict(`the address was asked ${MAX_ASKED} times already: only its owner can confirm now`);
    }
    await this.ask(recipient, destination);
  }

  /** Counted before it is sent, so that of two requests at once only one sends a mail. */
  private async ask(recipient: MailRecipient, address: string): Promise<void> {
    const { id, asked, ownerId } = recipient;
    const [counted] = await this.database.pool.query<ResultSetHeader>(
      'UPDATE mail_recipients SET asked = asked + 1 WHERE id = ? AND asked = ?',
      [id, asked],
    );
    if (counted.affectedRows === 0) return;
    try {
      await this.mails.confirmation(ownerId, address, recipientToken(recipient));
    } catch (error) {
      await this.database.pool.query('UPDATE mail_recipients SET asked = asked - 1 WHERE id = ?', [id]);
      throw error;
    }
  }
}

/** Nobody but the recipient can allow mails again. */
export function unsubscribed(): Conflict {
  return new Conflict('the recipient has unsubscribed from your mails: only they can allow them again');
}

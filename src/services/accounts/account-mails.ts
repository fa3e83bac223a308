import type { Clock } from '../../clock';
import type { MailAllowances, MailPurpose } from '../../deliveries/mail-allowances';
import { TooMany, Unavailable } from '../../errors';
import type { Logger } from '../../logger';
import type { User } from '../../models/user.model';
import { withTimeout } from '../../with-timeout';

/** Sends mails; fails when the mail server does not take one. */
export interface Mailer {
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

const WELCOME_WAIT_MS = 2_000;
const RESET_WAIT_MS = 10_000;

/**
 * The mails about an account. They go to the stored address, never to one from a request. They contain nothing that a user
 * wrote, not even the username: anybody can register with somebody else's address, who would then get a text of a
 * stranger's choice in our name.
 */
export class AccountMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly publicUrl: string,
    private readonly logger: Logger,
    private readonly allowances: MailAllowances,
    private readonly clock: Clock,
  ) {}

  /** Sends the mail after a registration. Never fails, and waits two seconds at most. */
  async welcome(user: User): Promise<void> {
    const text = [
      'Hello,',
      `your account on ${this.publicUrl} is ready. Log in with your username and your password.`,
      'If you did not register, ignore this mail.',
    ];
    try {
      await this.charge('welcome', user.id, user.email);
      await this.send(WELCOME_WAIT_MS, user.email, 'Welcome', text);
    } catch (error) {
      this.logger.warn({ userId: user.id, reason: String(error) }, 'welcome mail not sent');
    }
  }

  /** Reports to the address that the account had until now what has changed. Never fails, and waits two seconds at most. */
  async changed(userId: number, formerAddress: string, what: readonly ('password' | 'email address')[]): Promise<void> {
    const text = [
      'Hello,',
      `the ${what.join(' and the ')} of your account number ${userId} on ${this.publicUrl} has been changed.`,
      'If it was not you, ask for a new password at once, and tell the operator of the platform.',
    ];
    try {
      await this.charge('changed', userId, formerAddress);
      await this.send(WELCOME_WAIT_MS, formerAddress, 'Your account was changed', text);
    } catch (error) {
      this.logger.warn({ userId, reason: String(error) }, 'mail about a changed account not sent');
    }
  }

  /**
   * Asks an address whether it wants the mails of a user. TooMany when too many mails were sent in this hour, Unavailable when
   * the mail server does not take this one within two seconds.
   */
  async confirmation(userId: number, address: string, token: string): Promise<void> {
    await this.charge('confirmation', userId, address);
    const text = [
      'Hello,',
      `the user with the account number ${userId} on ${this.publicUrl} wants to have alerts of sensors sent to this address.`,
      'Nothing else is sent unless you agree. To agree, open this page and press its button:',
      `${this.publicUrl}/confirm?token=${token}`,
      'If you know nothing about this, ignore this mail. To get no mail of this user again, not even this one:',
      `${this.publicUrl}/unsubscribe?token=${token}`,
    ];
    try {
      await this.send(WELCOME_WAIT_MS, address, 'Do you want to receive alerts?', text);
    } catch (error) {
      this.reportUnasked(userId, error);
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  /** Logs that an address could not be asked to confirm. */
  reportUnasked(userId: number, error: unknown): void {
    this.logger.warn({ userId, reason: String(error) }, 'mail with a link to confirm not sent');
  }

  /**
   * Sends the link with a one-time token; TooMany when the address has got too many of them in this hour, Unavailable when the
   * mail server does not take the mail within ten seconds.
   */
  async passwordReset(user: User, token: string): Promise<void> {
    await this.charge('reset', user.id, user.email);
    const text = [
      'Hello,',
      // The number distinguishes the links when several accounts have this address.
      `someone asked for a new password for your account number ${user.id}. To choose one, open this page within one hour:`,
      `${this.publicUrl}/resetPassword?token=${token}`,
      'If it was not you, ignore this mail: your password stays the same.',
    ];
    try {
      await this.send(RESET_WAIT_MS, user.email, 'Choose a new password', text);
    } catch (error) {
      this.logger.warn({ userId: user.id, reason: String(error) }, 'password reset mail not sent');
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  private async charge(purpose: MailPurpose, ownerId: number, address: string): Promise<void> {
    const untilMs = await this.allowances.charge({ purpose, ownerId, address });
    if (untilMs === null) return;
    const seconds = Math.max(1, Math.ceil((untilMs - this.clock.now()) / 1000));
    throw new TooMany('too many mails in this hour; try again later', seconds);
  }

  private send(waitMs: number, to: string, subject: string, paragraphs: string[]): Promise<unknown> {
    const sending = this.mailer.send({ to, subject, text: `${paragraphs.join('\n\n')}\n` });
    return withTimeout(waitMs, sending, () => new Error('the mail server did not answer in time'));
  }
}

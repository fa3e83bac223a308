import { Unavailable } from '../../errors';
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
  ) {}

  /** Sends the mail after a registration. Never fails, and waits two seconds at most. */
  async welcome(user: User): Promise<void> {
    const text = [
      'Hello,',
      `your account on ${this.publicUrl} is ready. Log in with your username and your password.`,
      'If you did not register, ignore this mail.',
    ];
    try {
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
      await this.send(WELCOME_WAIT_MS, formerAddress, 'Your account was changed', text);
    } catch (error) {
      this.logger.warn({ userId, reason: String(error) }, 'mail about a changed account not sent');
    }
  }

  /** Sends the link with a one-time token; Unavailable when the mail server does not take the mail within ten seconds. */
  async passwordReset(user: User, token: string): Promise<void> {
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

  private send(waitMs: number, to: string, subject: string, paragraphs: string[]): Promise<unknown> {
    const sending = this.mailer.send({ to, subject, text: `${paragraphs.join('\n\n')}\n` });
    return withTimeout(waitMs, sending, () => new Error('the mail server did not answer in time'));
  }
}

import type { Clock } from '../../../platform/clock';
import { TooMany, Unavailable } from '../../../platform/errors';
import type { Logger } from '../../../platform/logger';
import { withTimeout } from '../../../platform/with-timeout';
import type { User } from '../../../storage/models/user.model';
import type { MailAllowances, MailPurpose } from './mail-allowances';

/** Fails if the mail server refuses a mail. */
export interface Mailer {
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

/** Effect of a new password on keys and applications; `none` if there are none. */
export type OtherAccess = 'ended' | 'stays' | 'none';

export interface AccountChange {
  what: readonly ('password' | 'email address')[];
  otherAccess?: OtherAccess;
}

export interface ResetLink {
  userId: number;
  token: string;
}

const ABOUT_ACCESS: Record<OtherAccess, string[]> = {
  ended: ['All other sessions, all keys and all permissions of applications have ended with it.'],
  stays: [
    'All other sessions have ended with it. Keys, and applications that may use the account, go on as before: the page of the account in the console shows and ends them.',
  ],
  none: ['All other sessions have ended with it.'],
};
const WELCOME_WAIT_MS = 2_000;
const RESET_WAIT_MS = 10_000;

/**
 * Sends mails about an account to the stored address, never to one from a request. They contain no text from a user,
 * not even the username: an attacker could register with another person's address, and that person would get a text of
 * the attacker's choice in our name.
 */
export class AccountMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly publicUrl: string,
    private readonly logger: Logger,
    private readonly allowances: MailAllowances,
    private readonly clock: Clock,
  ) {}

  /**
   * With `token`, also asks to confirm the address. Fails if too many mails were sent in this hour, or the mail server
   * takes longer than two seconds.
   */
  async welcome(user: User, token?: string): Promise<void> {
    await this.charge('welcome', user.id, user.email);
    await this.send(WELCOME_WAIT_MS, user.email, 'Welcome', [
      'Hello,',
      `your account on ${this.publicUrl} is ready. Log in with your username and your password.`,
      ...(token === undefined
        ? ['If you did not register, ignore this mail.']
        : [
            'Alerts are sent to this address only once you have confirmed it. To do so, open this page and press its button:',
            `${this.publicUrl}/confirm?token=${token}`,
            'If you did not register, ignore this mail. To get no mail of this account again, or of no account here at all:',
            `${this.publicUrl}/unsubscribe?token=${token}`,
          ]),
    ]);
  }

  /** Never fails, and waits two seconds at most. */
  async changed(userId: number, address: string, { what, otherAccess }: AccountChange): Promise<void> {
    const text = [
      'Hello,',
      `the ${what.join(' and the ')} of your account number ${userId} on ${this.publicUrl} has been changed.`,
      ...(otherAccess ? ABOUT_ACCESS[otherAccess] : []),
      'If it was not you, ask for a new password at once, and tell the operator of the platform.',
    ];
    try {
      await this.charge('changed', userId, address);
      await this.send(WELCOME_WAIT_MS, address, 'Your account was changed', text);
    } catch (error) {
      this.logger.warn({ userId, reason: String(error) }, 'mail about a changed account not sent');
    }
  }

  /** Asks an address to confirm. TooMany in this hour, Unavailable if the mail server takes longer than two seconds. */
  async confirmation(userId: number, address: string, token: string): Promise<void> {
    await this.charge('confirmation', userId, address);
    const text = [
      'Hello,',
      `the user with the account number ${userId} on ${this.publicUrl} wants to have alerts of sensors sent to this address.`,
      'Nothing else is sent unless you agree. To agree, open this page and press its button:',
      `${this.publicUrl}/confirm?token=${token}`,
      'If you know nothing about this, ignore this mail. To get no mail of this user again, or of no user here at all:',
      `${this.publicUrl}/unsubscribe?token=${token}`,
    ];
    try {
      await this.send(WELCOME_WAIT_MS, address, 'Do you want to receive alerts?', text);
    } catch (error) {
      this.reportUnasked(userId, error);
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  reportUnasked(userId: number, error: unknown): void {
    this.logger.warn({ userId, reason: String(error) }, 'welcome mail or mail with a link to confirm not sent');
  }

  /**
   * One mail has the one-time links of all accounts of an address. TooMany in this hour, Unavailable if the mail server
   * takes longer than ten seconds.
   */
  async passwordReset(address: string, links: readonly ResetLink[], isConfirmed: boolean): Promise<void> {
    const [first] = links;
    if (!first) return;
    await this.charge(isConfirmed ? 'reset' : 'unconfirmed-reset', first.userId, address);
    const accounts = links.map(({ userId }) => `number ${userId}`).join(', ');
    const text = [
      'Hello,',
      links.length === 1
        ? `someone asked for a new password for your account ${accounts}. To choose one, open this page within one hour:`
        : `someone asked for a new password, and this address has several accounts: ${accounts}. To choose one for an account, open its page within one hour:`,
      ...links.map(({ userId, token }) => {
        const link = `${this.publicUrl}/resetPassword?token=${token}`;
        return links.length === 1 ? link : `Account number ${userId}:\n${link}`;
      }),
      'If it was not you, ignore this mail: your password stays the same.',
    ];
    try {
      await this.send(RESET_WAIT_MS, address, 'Choose a new password', text);
    } catch (error) {
      this.logger.warn({ userId: first.userId, reason: String(error) }, 'password reset mail not sent');
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  private async charge(purpose: MailPurpose, ownerId: number, address: string): Promise<void> {
    const usedUp = await this.allowances.charge({ purpose, ownerId, address });
    if (usedUp === null) return;
    const seconds = Math.max(1, Math.ceil((usedUp.untilMs - this.clock.now()) / 1000));
    throw new TooMany('too many mails in this hour; try again later', seconds);
  }

  private send(waitMs: number, to: string, subject: string, paragraphs: string[]): Promise<unknown> {
    const sending = this.mailer.send({ to, subject, text: `${paragraphs.join('\n\n')}\n` });
    return withTimeout(waitMs, sending, () => new Error('the mail server did not answer in time'));
  }
}

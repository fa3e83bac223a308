import type { Clock } from '../../../platform/clock';
import { Unavailable } from '../../../platform/errors';
import type { Logger } from '../../../platform/logger';
import { withTimeout } from '../../../platform/with-timeout';
import type { Language } from '../../../platform/words/language';
import { type PlainText, Words } from '../../../platform/words/words';
import type { User } from '../../../storage/models/user.model';
import { usedUpError } from '../../../storage/usage-counts';
import type { MailAllowances, MailPurpose } from './mail-allowances';

/** Fails if the mail server refuses a mail. */
export interface Mailer {
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

/** Effect of a new password on keys and applications; `none` if there are none. */
export type OtherAccess = 'ended' | 'stays' | 'none';

export interface AccountChange {
  what: readonly ('password' | 'email address' | 'list of linked identities' | 'second factor')[];
  /** What happened to the second factor. */
  how?: FactorChange;
  otherAccess?: OtherAccess;
}

export interface ResetLink {
  userId: number;
  language: Language | null;
  token: string;
}

/** The account that a mail concerns, and its language. */
export interface Account {
  id: number;
  words: Words;
}

const ABOUT_ACCESS = {
  ended: 'All other sessions, all keys and all permissions of applications have ended with it.',
  stays:
    'All other sessions have ended with it. Keys, and applications that may use the account, go on as before: the page of the account in the console shows and ends them.',
  none: 'All other sessions have ended with it.',
} as const satisfies Record<OtherAccess, PlainText>;
export type FactorChange = keyof typeof ABOUT_FACTORS;
const ABOUT_FACTORS = {
  'totp-added': 'Signing in now also asks for a code of an authenticator app.',
  'totp-removed': 'Signing in asks for no code of an authenticator app any more.',
  'passkey-added': 'There is a new passkey, which signs in without the password.',
  'passkey-removed': 'A passkey was removed, and signs in no more.',
  'codes-renewed': 'There are new recovery codes; the earlier ones have ended.',
  'removed-by-operator': 'An operator of the platform removed all second factors, with the recovery codes.',
} as const satisfies Record<string, PlainText>;
const READY = 'your account on the sensor data platform {url} is ready. Log in with your username and your password.';
const READY_BY_PROVIDER =
  'your account on the sensor data platform {url} is ready. Log in with your identity provider.';
const FOR_ONE_ACCOUNT =
  'someone asked for a new password for your account number {id}. To choose one, open this page within one hour:';
const FOR_ACCOUNTS =
  'someone asked for a new password, and this address has several accounts: {accounts}. To choose one for an account, open its page within one hour:';
const WELCOME_WAIT_MS = 2_000;
const RESET_WAIT_MS = 10_000;

/**
 * Sends mails to the stored address, never to one from a request. They contain no text from a user, not even the
 * username: an attacker could register another person's address, and write to it in our name.
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
   * With `token`, also asks to confirm the address. Fails beyond the hourly limit, or if the mail server takes longer
   * than two seconds.
   */
  async welcome(user: User, token?: string): Promise<void> {
    await this.charge('welcome', user.id, user.email);
    const words = Words.in(user.language);
    const ready = words.t(user.passwordHash === '' ? READY_BY_PROVIDER : READY, { url: this.publicUrl });
    if (token === undefined) {
      const subject = words.t('Your account on {host} is ready', this.host);
      const text = [words.t('Hello,'), ready, words.t('If you did not register, ignore this mail.')];
      return this.send(WELCOME_WAIT_MS, user.email, subject, text);
    }
    return this.send(WELCOME_WAIT_MS, user.email, words.t('Confirm your address for alerts ({host})', this.host), [
      words.t('Hello,'),
      ready,
      words.t(
        'Alerts are sent to this address only once you have confirmed it. To do so, open this page and press its button:',
      ),
      `${this.publicUrl}/confirm?token=${token}`,
      words.t(
        'If you did not register, ignore this mail. To get no mail of this account again, or of no account here at all:',
      ),
      `${this.publicUrl}/unsubscribe?token=${token}`,
    ]);
  }

  /** Never fails, and waits two seconds at most. */
  async changed({ id, words }: Account, address: string, { what, how, otherAccess }: AccountChange): Promise<void> {
    const [thing, ...others] = what.map((one) => words.t(`the ${one}`));
    const text = [
      words.t('Hello,'),
      words.t('{what} of your account number {id} on {url} has been changed.', {
        ...{ id, url: this.publicUrl },
        what: others.length === 0 ? (thing ?? '') : `${thing} ${words.t('and')} ${others.join()}`,
      }),
      ...(how ? [words.t(ABOUT_FACTORS[how])] : []),
      ...(otherAccess ? [words.t(ABOUT_ACCESS[otherAccess])] : []),
      words.t('If it was not you, ask for a new password at once, and tell the operator of the platform.'),
    ];
    await this.report(id, address, words.t('Your account was changed'), text);
  }

  /** Never fails, and waits two seconds at most. `from` is the address of the browser or program. */
  async signedIn({ id, words }: Account, address: string, from: string): Promise<void> {
    const text = [
      words.t('Hello,'),
      words.t('your account number {id} on {url} was used to sign in from the address {from}, for the first time.', {
        ...{ id, url: this.publicUrl, from },
      }),
      words.t('If it was you, ignore this mail.'),
      words.t('If it was not you, ask for a new password at once, and tell the operator of the platform.'),
    ];
    await this.report(id, address, words.t('A sign-in from a new address'), text);
  }

  private async report(id: number, address: string, subject: string, text: string[]): Promise<void> {
    try {
      await this.charge('changed', id, address);
      await this.send(WELCOME_WAIT_MS, address, subject, text);
    } catch (error) {
      this.logger.warn({ userId: id, reason: String(error) }, 'mail about the security of an account not sent');
    }
  }

  /** TooMany in this hour, Unavailable if the mail server takes longer than two seconds. */
  async confirmation({ id, words }: Account, address: string, token: string): Promise<void> {
    await this.charge('confirmation', id, address);
    const text = [
      words.t('Hello,'),
      words.t('the user with the account number {id} on {url} wants to have alerts of sensors sent to this address.', {
        id,
        url: this.publicUrl,
      }),
      words.t('Nothing else is sent unless you agree. To agree, open this page and press its button:'),
      `${this.publicUrl}/confirm?token=${token}`,
      words.t(
        'If you know nothing about this, ignore this mail. To get no mail of this user again, or of no user here at all:',
      ),
      `${this.publicUrl}/unsubscribe?token=${token}`,
    ];
    try {
      await this.send(WELCOME_WAIT_MS, address, words.t('Do you want to receive alerts?'), text);
    } catch (error) {
      this.reportUnasked(id, error);
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  /** Logs that a welcome mail or a request to confirm was not sent. */
  reportUnasked(userId: number, error: unknown): void {
    this.logger.warn({ userId, reason: String(error) }, 'welcome mail or mail with a link to confirm not sent');
  }

  /**
   * One mail has the one-time links of all accounts of an address, in the language of the first. TooMany in this hour,
   * Unavailable if the mail server takes longer than ten seconds.
   */
  async passwordReset(address: string, links: readonly ResetLink[], isConfirmed: boolean): Promise<void> {
    const [first, ...others] = links;
    if (!first) return;
    await this.charge(isConfirmed ? 'reset' : 'unconfirmed-reset', first.userId, address);
    const words = Words.in(first.language);
    const linkOf = ({ token }: ResetLink) => `${this.publicUrl}/resetPassword?token=${token}`;
    const accounts = links.map(({ userId: id }) => words.t('number {id}', { id })).join(', ');
    const text = [
      words.t('Hello,'),
      ...(others.length === 0
        ? [words.t(FOR_ONE_ACCOUNT, { id: first.userId }), linkOf(first)]
        : [
            words.t(FOR_ACCOUNTS, { accounts }),
            ...links.map((link) => `${accountText(link, words)}\n${linkOf(link)}`),
          ]),
      words.t('If it was not you, ignore this mail: your password stays the same.'),
    ];
    try {
      await this.send(RESET_WAIT_MS, address, words.t('Choose a new password'), text);
    } catch (error) {
      this.logger.warn({ userId: first.userId, reason: String(error) }, 'password reset mail not sent');
      throw new Unavailable('the mail could not be sent; try again later', 30);
    }
  }

  private async charge(purpose: MailPurpose, ownerId: number, address: string): Promise<void> {
    const usedUp = await this.allowances.charge({ purpose, ownerId, address });
    if (usedUp) throw usedUpError('too many mails in this hour; try again later', usedUp, this.clock.now());
  }

  /** What names the platform in a subject. */
  private get host(): { host: string } {
    return { host: new URL(this.publicUrl).host };
  }

  private async send(waitMs: number, to: string, subject: string, paragraphs: string[]): Promise<void> {
    const sending = this.mailer.send({ to, subject, text: `${paragraphs.join('\n\n')}\n` });
    await withTimeout(waitMs, sending, () => new Error('the mail server did not answer in time'));
  }
}

function accountText({ userId: id }: ResetLink, words: Words): string {
  return words.t('Account number {id}:', { id });
}

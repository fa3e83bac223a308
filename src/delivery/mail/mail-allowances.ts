import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { mailboxKey } from '../../rules/mail-address';
import { type Allowance, chargeUse, findUsedUp } from '../../storage/usage-counts';

const HOUR_MS = 3_600_000;

/** Mails in an hour that nobody at the address has asked for: welcome mails and requests to confirm, of all users. */
const UNASKED_PER_ADDRESS = 3;
/** Mails in an hour with links to new passwords of accounts that the address has not confirmed: anybody can register those. */
const UNCONFIRMED_RESETS_PER_ADDRESS = 3;
/** Requests to confirm in an hour that one user causes. */
const CONFIRMATIONS_PER_USER = 20;
/** Mails in an hour with links to new passwords of confirmed accounts, and those about a changed account. */
const RESETS_PER_ADDRESS = 20;
const CHANGES_PER_ADDRESS = 10;

/** Mails in an hour; 0 is no limit. */
export interface MailRates {
  perUserHour: number;
  perAddressHour: number;
}

/** Why a mail is sent. What concerns the security of an account is counted apart, so that no alert can prevent it. */
export type MailPurpose = 'delivery' | 'confirmation' | 'welcome' | 'reset' | 'unconfirmed-reset' | 'changed';

/** A mail that somebody wants to send. */
export interface MailRequest {
  purpose: MailPurpose;
  ownerId: number;
  address: string;
}

/** How many mails a user may cause in an hour, and an address may get, over all processes. */
export class MailAllowances {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly rates: MailRates,
  ) {}

  /** Charges one mail. Returns until when there must be no other one, or null when it was charged. */
  charge(mail: MailRequest): Promise<number | null> {
    return chargeUse(this.pool, this.of(mail), this.clock.now());
  }

  /** Until when there must be no such mail, or null; charges nothing. */
  usedUpUntil(mail: MailRequest): Promise<number | null> {
    return findUsedUp(this.pool, this.of(mail), this.clock.now());
  }

  private of({ purpose, ownerId, address }: MailRequest): Allowance[] {
    const { perUserHour, perAddressHour } = this.rates;
    const mailbox = mailboxKey(address);
    const user = (kind: string, limit: number) => allowance(kind, String(ownerId), perUserHour && limit);
    const receiver = (kind: string, limit: number) => allowance(kind, mailbox, perAddressHour && limit);
    const all = [...user('mails-of-user', perUserHour), ...receiver('mails-to-address', perAddressHour)];
    switch (purpose) {
      case 'delivery':
        return all;
      case 'confirmation':
        return [
          ...all,
          ...user('confirmations-of-user', CONFIRMATIONS_PER_USER),
          ...receiver('unasked-to-address', UNASKED_PER_ADDRESS),
        ];
      case 'welcome':
        return [...all, ...receiver('unasked-to-address', UNASKED_PER_ADDRESS)];
      case 'reset':
        return receiver('resets-to-address', RESETS_PER_ADDRESS);
      case 'unconfirmed-reset':
        return receiver('new-resets-to-address', UNCONFIRMED_RESETS_PER_ADDRESS);
      case 'changed':
        return receiver('changes-to-address', CHANGES_PER_ADDRESS);
    }
  }
}

function allowance(kind: string, subject: string, limit: number): Allowance[] {
  return limit === 0 ? [] : [{ kind, subject, limit, windowMs: HOUR_MS }];
}

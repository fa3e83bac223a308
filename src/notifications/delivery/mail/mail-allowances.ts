import type { Pool } from 'mysql2/promise';
import { mailboxKey } from '../../../edge/mail-address';
import type { Clock } from '../../../platform/clock';
import { type Allowance, chargeUse, findUsedUp, type UsedUp } from '../../../storage/usage-counts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Unsolicited mails of all users per hour: welcome mails and requests to confirm. */
const UNASKED_PER_ADDRESS = 3;
/** Reset mails per hour for unconfirmed accounts: anyone can register those. */
const UNCONFIRMED_RESETS_PER_ADDRESS = 3;
/** Requests to confirm per hour. */
const CONFIRMATIONS_PER_USER = 20;
/** Mails per hour about confirmed accounts. */
const RESETS_PER_ADDRESS = 20;
const CHANGES_PER_ADDRESS = 10;

/** Digests per minute beyond the hourly limits, so that these delay no alert for long. */
const DIGESTS_TO_ADDRESS = 5;
const DIGESTS_OF_USER = 20;

/** Mails per hour; 0 means no limit. */
export interface MailRates {
  perUserHour: number;
  perAddressHour: number;
}

/** Mails about the security of an account are counted apart, so that no alert can prevent them. */
export type MailPurpose = 'delivery' | 'confirmation' | 'welcome' | 'reset' | 'unconfirmed-reset' | 'changed';

export interface MailRequest {
  purpose: MailPurpose;
  ownerId: number;
  address: string;
}

/** Limits the mails per hour across all processes. */
export class MailAllowances {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly rates: MailRates,
  ) {}

  /** Returns null if the mail was charged, otherwise the allowance that is used up. */
  charge(mail: MailRequest): Promise<UsedUp | null> {
    return chargeUse(this.pool, this.of(mail), this.clock.now());
  }

  /** Charges nothing. */
  findUsedUp(mail: MailRequest): Promise<UsedUp | null> {
    return findUsedUp(this.pool, this.of(mail), this.clock.now());
  }

  /** Digests have allowances of their own beyond the hourly limits. Returns as `charge`. */
  chargeDigest({ ownerId, address }: Pick<MailRequest, 'ownerId' | 'address'>): Promise<UsedUp | null> {
    const perMinute = { windowMs: MINUTE_MS };
    const subject = mailboxKey(`${ownerId}.${address}`);
    const allowances = [
      { kind: 'digests-to-address', subject, limit: DIGESTS_TO_ADDRESS, ...perMinute },
      { kind: 'digests-of-user', subject: String(ownerId), limit: DIGESTS_OF_USER, ...perMinute },
    ];
    return chargeUse(this.pool, allowances, this.clock.now());
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

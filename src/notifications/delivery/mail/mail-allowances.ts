import type { Pool } from 'mysql2/promise';
import { mailboxKey } from '../../../edge/mail-address';
import type { Clock } from '../../../platform/clock';
import { type Allowance, chargeUse, findUsedUp, type UsedUp } from '../../../storage/usage-counts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Maximum number of unsolicited mails to an address per hour, of all users: welcome mails and requests to confirm. */
const UNASKED_PER_ADDRESS = 3;
/**
 * Maximum number of password reset mails per hour for accounts that the address has not confirmed: anyone can register
 * those.
 */
const UNCONFIRMED_RESETS_PER_ADDRESS = 3;
/** Maximum number of requests to confirm per hour that one user causes. */
const CONFIRMATIONS_PER_USER = 20;
/** Maximum number of mails per hour: password resets of confirmed accounts, and notices about a changed account. */
const RESETS_PER_ADDRESS = 20;
const CHANGES_PER_ADDRESS = 10;

/**
 * Maximum number of digests a minute beyond the hourly limits, so that these delay no alert for long: of one user to an
 * address, which may be the destination of several notifications, and of one user to all addresses.
 */
const DIGESTS_TO_ADDRESS = 5;
const DIGESTS_OF_USER = 20;

/** Mails per hour; 0 means no limit. */
export interface MailRates {
  perUserHour: number;
  perAddressHour: number;
}

/**
 * Why a mail is sent. Mails about the security of an account are counted separately, so that no alert can prevent them.
 */
export type MailPurpose = 'delivery' | 'confirmation' | 'welcome' | 'reset' | 'unconfirmed-reset' | 'changed';

export interface MailRequest {
  purpose: MailPurpose;
  ownerId: number;
  address: string;
}

/** Limits the mails that a user may cause and an address may get per hour, across all processes. */
export class MailAllowances {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly rates: MailRates,
  ) {}

  /** Charges one mail. Returns null if it was charged, otherwise the allowance that is used up. */
  charge(mail: MailRequest): Promise<UsedUp | null> {
    return chargeUse(this.pool, this.of(mail), this.clock.now());
  }

  /** The allowance of such a mail that is used up, or null. Charges nothing. */
  findUsedUp(mail: MailRequest): Promise<UsedUp | null> {
    return findUsedUp(this.pool, this.of(mail), this.clock.now());
  }

  /** Charges a digest beyond the hourly limits to its own allowance. Returns as `charge`. */
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

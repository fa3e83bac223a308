import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { type Allowance, chargeUse, usedUpError } from '../../storage/usage-counts';
import type { MailAllowances } from '../delivery/mail/mail-allowances';
import { isMail } from '../delivery/mail/mail-recipients';
import type { Destination, MailConsents } from '../notifications/mail-consents';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Share of the hourly limit. */
const PART_OF_A_MINUTE = 1 / 10;

/** Limits the tests, previews and redeliveries of users. */
export class RequestedSends {
  constructor(
    private readonly pool: Pool,
    private readonly mails: MailAllowances,
    private readonly consents: MailConsents,
    private readonly perHour: number,
    private readonly clock: Clock,
  ) {}

  /** Call it before any work. TooMany beyond the limit. */
  async charge(userId: number): Promise<void> {
    if (this.perHour === 0) return;
    const subject = String(userId);
    const allowances: Allowance[] = [
      { kind: 'sends-in-hour', subject, limit: this.perHour, windowMs: HOUR_MS },
      {
        kind: 'sends-in-minute',
        subject,
        limit: Math.ceil(this.perHour * PART_OF_A_MINUTE),
        windowMs: MINUTE_MS,
      },
    ];
    const nowMs = this.clock.now();
    const usedUp = await chargeUse(this.pool, allowances, nowMs);
    if (usedUp) throw usedUpError('too many tests, previews and redeliveries; try again later', usedUp, nowMs);
  }

  /** Conflict if the recipient of a mail does not want it, TooMany beyond the hourly limit. */
  async require(ownerId: number, to: Destination): Promise<void> {
    if (!isMail(to.type)) return;
    await this.consents.require(ownerId, to);
    const mail = { purpose: 'delivery', ownerId, address: to.destination } as const;
    const usedUp = await this.mails.findUsedUp(mail);
    if (usedUp) throw usedUpError('too many mails in this hour; try again later', usedUp, this.clock.now());
  }
}

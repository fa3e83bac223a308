import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../../platform/clock';
import { inPoolTransaction, runOn } from '../../../storage/transaction';
import type { UsedUp } from '../../../storage/usage-counts';
import { acknowledgeToken, recipientToken } from '../../notifications/recipient-token';
import type { DeliveryRow, Wait } from '../attempt';
import { isFreshAlert } from '../digests';
import { mailLimitReason } from '../waiting';
import type { MailAllowances } from './mail-allowances';
import {
  findRecipient,
  knowRecipient,
  type MailConfirmation,
  type MailRecipient,
  whyNotMailed,
} from './mail-recipients';

/** Mails that wait for the next hour become due spread over this time, not all at once. */
const SPREAD_MS = 30_000;

/** Decides about the next attempt of a delivery by mail. */
export interface MailDecision {
  /** Why it must not be sent at all, or null. */
  whyNotSent: string | null;
  /** Until when it has to wait and why, or null. */
  wait: Wait | null;
  /** URL where the recipient can unsubscribe from this user. */
  unsubscribeUrl: string;
  /** URL where the recipient can acknowledge a firing; absent for all other mails. */
  acknowledgeUrl?: string;
}

/** Decides whether a delivery by mail may go out: only to recipients who want it, and within the hourly limits. */
export class MailGate {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly allowances: MailAllowances,
    private readonly confirmation: MailConfirmation,
    private readonly publicUrl: string,
  ) {}

  /** Checks the recipient and the remaining allowance of the hour. Charges nothing. */
  async look(row: DeliveryRow): Promise<MailDecision> {
    const recipient = await this.recipientOf(row);
    const whyNotSent = whyNotMailed(recipient, this.confirmation);
    return {
      whyNotSent,
      wait: whyNotSent === null ? await this.waitForHour(row) : null,
      unsubscribeUrl: `${this.publicUrl}/unsubscribe?token=${recipientToken(recipient)}`,
      ...(row.firing_id !== null &&
        !row.resolved && {
          acknowledgeUrl: `${this.publicUrl}/acknowledge?token=${acknowledgeToken(recipient, row.firing_id)}`,
        }),
    };
  }

  /**
   * Charges a mail that is about to be sent. Returns until when it has to wait instead, or null. Only the first attempt
   * is charged: a retry happens only if the mail did not arrive. A digest has an allowance of its own beyond the hourly
   * limits.
   */
  async charge(row: DeliveryRow): Promise<Wait | null> {
    if (row.attempts > 0) return null;
    const usedUp = await this.allowances.charge(mailOf(row));
    if (usedUp === null || !isBeyondHour(row)) return this.waitFor(row, usedUp);
    return this.waitFor(row, await this.allowances.chargeDigest(mailOf(row)));
  }

  /** An alert need not wait for the hour: beyond its limits it goes out in a digest, which needs a lease. */
  private async waitForHour(row: DeliveryRow): Promise<Wait | null> {
    if (row.attempts > 0 || isFreshAlert(row) || isBeyondHour(row)) return null;
    return this.waitFor(row, await this.allowances.findUsedUp(mailOf(row)));
  }

  private waitFor({ destination }: DeliveryRow, usedUp: UsedUp | null): Wait | null {
    if (usedUp === null) return null;
    const { allowance, untilMs } = usedUp;
    const spreadMs = allowance.windowMs > SPREAD_MS * 2 ? Math.floor(SPREAD_MS * Math.random()) : 0;
    return { untilMs: untilMs + spreadMs, reason: mailLimitReason(allowance, destination) };
  }

  /**
   * Finds the recipient. An unknown one belongs to a row that was written without the services; it is added as not
   * confirmed.
   */
  private async recipientOf({ owner_id: ownerId, destination: address }: DeliveryRow): Promise<MailRecipient> {
    const found = await findRecipient(runOn(this.pool), ownerId, address);
    if (found) return found;
    return inPoolTransaction(this.pool, (connection) =>
      knowRecipient(runOn(connection), { ownerId, address, confirmedMs: null }, this.clock.now()),
    );
  }
}

function mailOf({ owner_id: ownerId, destination: address }: DeliveryRow) {
  return { purpose: 'delivery', ownerId, address } as const;
}

/**
 * True for a digest, and for an alert that a dead worker may have sent: it keeps its own id, so that its receiver can
 * recognize a repeat.
 */
function isBeyondHour({ digest_minute_ms, firing_id, claimed_until_ms }: DeliveryRow): boolean {
  return digest_minute_ms !== null || (firing_id !== null && claimed_until_ms !== null);
}

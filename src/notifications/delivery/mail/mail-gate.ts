import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../../platform/clock';
import { inPoolTransaction, runOn } from '../../../storage/transaction';
import type { UsedUp } from '../../../storage/usage-counts';
import { kindOf } from '../../kinds';
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

/** Mails that wait for the next hour become due spread over this time. */
const SPREAD_MS = 30_000;

export interface MailDecision {
  /** Null if the mail may be sent. */
  whyNotSent: string | null;
  /** Null if the mail need not wait. */
  wait: Wait | null;
  unsubscribeUrl: string;
  acknowledgeUrl?: string;
}

/** Lets mails out only to recipients who want them, and within the hourly limits. */
export class MailGate {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly allowances: MailAllowances,
    private readonly confirmation: MailConfirmation,
    private readonly publicUrl: string,
  ) {}

  /** Charges nothing. */
  async judge(row: DeliveryRow): Promise<MailDecision> {
    const recipient = await this.recipientOf(row);
    const whyNotSent = whyNotMailed(recipient, this.confirmation);
    return {
      whyNotSent,
      wait: whyNotSent === null ? await this.waitForHour(row) : null,
      unsubscribeUrl: `${this.publicUrl}/unsubscribe?token=${recipientToken(recipient)}`,
      ...(row.firing_id !== null &&
        kindOf(row).isAcknowledgeable && {
          acknowledgeUrl: `${this.publicUrl}/acknowledge?token=${acknowledgeToken(recipient, row.firing_id)}`,
        }),
    };
  }

  /** Null if the mail was charged. Charges only the first attempt: a retry happens only if the mail did not arrive. */
  async charge(row: DeliveryRow): Promise<Wait | null> {
    if (row.attempts > 0) return null;
    const usedUp = await this.allowances.charge(mailOf(row));
    if (usedUp === null || !isBeyondHour(row)) return this.waitFor(row, usedUp);
    return this.waitFor(row, await this.allowances.chargeDigest(mailOf(row)));
  }

  /** Beyond the limits an alert goes out in a digest, which needs a lease. */
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

  /** Adds an unknown recipient as not confirmed: its row was written without the services. */
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

/** True for a digest, and for an alert that a dead worker may have sent: it keeps its own id. */
function isBeyondHour(row: DeliveryRow): boolean {
  return row.kind === 'digest' || (Boolean(kindOf(row).isAggregated) && row.lease_until_ms !== null);
}

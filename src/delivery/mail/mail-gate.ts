import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { acknowledgeToken, recipientToken } from '../../rules/recipient-token';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import type { DeliveryRow } from '../attempt';
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
  /** Until when it has to wait, or null. */
  waitUntilMs: number | null;
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
      waitUntilMs: whyNotSent === null ? await this.waitFor(row, 'look') : null,
      unsubscribeUrl: `${this.publicUrl}/unsubscribe?token=${recipientToken(recipient)}`,
      ...(row.firing_id !== null &&
        !row.resolved && {
          acknowledgeUrl: `${this.publicUrl}/acknowledge?token=${acknowledgeToken(recipient, row.firing_id)}`,
        }),
    };
  }

  /**
   * Charges a mail that is about to be sent. Returns until when it has to wait instead, or null. Only the first attempt
   * is charged: a retry happens only if the mail did not arrive.
   */
  charge(row: DeliveryRow): Promise<number | null> {
    return this.waitFor(row, 'charge');
  }

  private async waitFor(row: DeliveryRow, what: 'look' | 'charge'): Promise<number | null> {
    if (row.attempts > 0) return null;
    const mail = { purpose: 'delivery', ownerId: row.owner_id, address: row.destination } as const;
    const untilMs = await (what === 'look' ? this.allowances.usedUpUntil(mail) : this.allowances.charge(mail));
    return untilMs === null ? null : untilMs + Math.floor(SPREAD_MS * Math.random());
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

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

/** Mails that wait for the next hour become due over this time, not all at once. */
const SPREAD_MS = 30_000;

/** What decides about the next attempt of a delivery by mail. */
export interface MailDecision {
  /** Why it must not be sent at all, or null. */
  whyNotSent: string | null;
  /** Until when it has to wait, or null. */
  waitUntilMs: number | null;
  /** Where the recipient can end the mails of this user. */
  unsubscribeUrl: string;
  /** Where they can say that they know about a firing; absent for all other mails. */
  acknowledgeUrl?: string;
}

/** Decides whether a delivery by mail may go out: only where it is wanted, and only so many in an hour. */
export class MailGate {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly allowances: MailAllowances,
    private readonly confirmation: MailConfirmation,
    private readonly publicUrl: string,
  ) {}

  /** Looks at the recipient, and at what is left of the hour; charges nothing. */
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
   * Charges a mail that is about to be sent; returns until when it has to wait instead, or null. Only the first attempt is
   * charged: another follows only when the mail did not arrive.
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

  /** One that nobody has made known yet was written past the services; it counts as not confirmed. */
  private async recipientOf({ owner_id: ownerId, destination: address }: DeliveryRow): Promise<MailRecipient> {
    const found = await findRecipient(runOn(this.pool), ownerId, address);
    if (found) return found;
    return inPoolTransaction(this.pool, (connection) =>
      knowRecipient(runOn(connection), { ownerId, address, confirmedMs: null }, this.clock.now()),
    );
  }
}

import { randomInt } from 'node:crypto';
import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { Attempt, Claim, DeliveryRow } from './attempt';
import { CLAIM_MS, ClaimRenewer } from './claim-renewer';
import { whyNotSent } from './outgoing-delivery';
import type { ParkedDeliveries } from './parked-deliveries';
import { DEGRADED_AFTER, isReceiverFailure } from './receiver-health';
import type { ReceiverSlots } from './receiver-slots';
import { SlotWaitlist } from './slot-waitlist';

/** A receiver that answers so soon is worth waiting for. */
const QUICK_MS = 100;
/** Other workers may take a slot just when we want it. */
const TRIES = 5;

/** What came of the try to make a claim ours: it is, or the delivery is not due any more, or another has the slot. */
type Taking = 'taken' | 'not-due' | 'slot-taken';

/**
 * Decides who may make an attempt, and when: one worker at a time for a delivery, few attempts at a time for a receiver,
 * fewer for one that is failing, and never more of those than half of what this process can do at once.
 */
export class DeliveryClaims {
  private degradedInFlight = 0;
  private readonly turns: SlotWaitlist;
  private readonly renewer: ClaimRenewer;

  constructor(
    private readonly pool: Pool,
    private readonly slots: ReceiverSlots,
    private readonly parked: ParkedDeliveries,
    private readonly clock: Clock,
    private readonly concurrency: number,
  ) {
    this.turns = new SlotWaitlist(clock);
    this.renewer = new ClaimRenewer(pool, clock);
  }

  /** Claims the attempt that is due; a delivery whose receiver has no slot is parked. `failed`: it had failed before. */
  async claim(deliveryId: number): Promise<Claim | 'not-due' | 'parked' | 'failed'> {
    const row = await this.read(deliveryId);
    if (row?.status === 'failed') return 'failed';
    if (!row || !this.isDue(row)) return 'not-due';
    const claim = {
      row,
      token: randomInt(2 ** 47),
      whyNotSent: whyNotSent(row),
      slot: null,
      isDegraded: (row.failures ?? 0) >= DEGRADED_AFTER,
    };
    if (claim.whyNotSent !== null || row.receiver === null) {
      return (await this.take(claim, null)) === 'taken' ? claim : 'not-due';
    }
    if (!claim.isDegraded) return this.claimSlot(claim, row.receiver);
    if (this.degradedInFlight >= Math.max(1, Math.floor(this.concurrency / 2))) {
      await this.parked.park(row);
      return 'parked';
    }
    // Counted before it is claimed: others ask at the same time.
    this.degradedInFlight += 1;
    let result: Claim | 'not-due' | 'parked' | undefined;
    try {
      result = await this.claimSlot(claim, row.receiver);
      return result;
    } finally {
      if (typeof result !== 'object') this.degradedInFlight -= 1;
    }
  }

  /** Notes how the receiver did, and wakes whoever waits for the slot, which is free once the attempt is written down. */
  async release({ row, token, slot, isDegraded: wasDegraded }: Claim, attempt: Attempt | undefined): Promise<void> {
    this.renewer.release(token);
    const { receiver } = row;
    if (slot === null || receiver === null) return;
    this.slots.release(receiver, slot);
    if (wasDegraded) this.degradedInFlight -= 1;
    if (!attempt) return;
    const trouble = isReceiverFailure(row.type, attempt);
    this.turns.freed(receiver, !trouble && attempt.durationMs <= QUICK_MS);
    if (trouble) await this.countFailure(receiver);
    else if (row.failures !== null) {
      await this.pool.query('DELETE FROM ailing_receivers WHERE receiver = ?', [receiver]);
    }
    await this.parked.wake(receiver, trouble && (row.failures ?? 0) + 1 >= DEGRADED_AFTER);
  }

  private async countFailure(receiver: string): Promise<void> {
    await this.pool.query(
      'INSERT INTO ailing_receivers (receiver, since_ms) VALUES (?) ON DUPLICATE KEY UPDATE failures = LEAST(failures + 1, 1000)',
      [[receiver, this.clock.now()]],
    );
  }

  private async read(deliveryId: number): Promise<DeliveryRow | undefined> {
    const [rows] = await this.pool.query<(RowDataPacket & DeliveryRow)[]>(
      `SELECT d.*, n.signing_secret, n.replaced_secrets, n.enabled, n.disabled_reason, n.failing_since_ms,
              n.destination AS present_destination, a.failures
       FROM deliveries d LEFT JOIN notifications n ON n.id = d.notification_id
            LEFT JOIN ailing_receivers a ON a.receiver = d.receiver
       WHERE d.id = ?`,
      [deliveryId],
    );
    return rows[0];
  }

  private isDue(row: DeliveryRow): boolean {
    const nowMs = this.clock.now();
    const isClaimed = row.claimed_until_ms !== null && row.claimed_until_ms > nowMs;
    return row.status === 'pending' && row.next_attempt_ms !== null && row.next_attempt_ms <= nowMs && !isClaimed;
  }

  private async claimSlot(claim: Claim, receiver: string): Promise<Claim | 'not-due' | 'parked'> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const slot = await this.slots.reserve(receiver, claim.isDegraded);
      if (slot === undefined) {
        if (await this.turns.wait(receiver)) continue;
        break;
      }
      const outcome = await this.takeWith(claim, receiver, slot);
      if (outcome === 'taken') return { ...claim, slot };
      if (outcome === 'not-due') return 'not-due';
    }
    await this.parked.park(claim.row);
    // The last slot may have been freed before this one was parked: then nobody else would wake it.
    await this.parked.wake(receiver, claim.isDegraded);
    return 'parked';
  }

  /** A slot that was not taken is given back, also when MySQL has gone just now: else this process would miss it for ever. */
  private async takeWith(claim: Claim, receiver: string, slot: number): Promise<Taking> {
    let outcome: Taking | undefined;
    try {
      outcome = await this.take(claim, slot);
      return outcome;
    } finally {
      if (outcome !== 'taken') this.slots.release(receiver, slot);
    }
  }

  private async take({ row, token }: Claim, slot: number | null): Promise<Taking> {
    const nowMs = this.clock.now();
    try {
      const [result] = await this.pool.query<ResultSetHeader>(
        `UPDATE deliveries SET claimed_until_ms = ?, claim = ?, slot = ?
         WHERE id = ? AND status = 'pending' AND attempts = ? AND next_attempt_ms <= ?
           AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
        [nowMs + CLAIM_MS, token, slot, row.id, row.attempts, nowMs, nowMs],
      );
      if (result.affectedRows === 0) return 'not-due';
      this.renewer.keep(token, row.id);
      return 'taken';
    } catch (error) {
      if (isOneOf(error, 'ER_DUP_ENTRY', 'ER_LOCK_DEADLOCK')) return 'slot-taken';
      throw error;
    }
  }
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

import { randomInt } from 'node:crypto';
import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { Gathered } from '../storage/gathered';
import { issued } from '../storage/pipeline';
import type { Attempt, Claim } from './attempt';
import { ClaimRenewer } from './claim-renewer';
import {
  countFailure,
  forgetFailures,
  isDue,
  postpone,
  postponeClaimed,
  readDeliveries,
  type TakeResult,
  takeClaims,
  type WantedClaim,
} from './claim-rows';
import { type Digests, isInDigest, leaveInDigest } from './digests';
import { waitForEarlier } from './earlier-deliveries';
import type { MailGate } from './mail/mail-gate';
import { isMail } from './mail/mail-recipients';
import { whyNotSent } from './outgoing-delivery';
import { laneOf, OwnerSlots } from './owner-slots';
import type { ParkedDeliveries } from './parked-deliveries';
import { DEGRADED_AFTER, isReceiverFailure } from './receiver-health';
import type { HeldSlots, ReceiverSlots } from './receiver-slots';
import { SlotWaitlist } from './slot-waitlist';

/** A slot of a receiver that answers within this time is soon free again, and worth waiting for. */
const QUICK_MS = 100;
/** Claims of the same moment share statements. A locked row holds up those of its group only. */
const TOGETHER = { most: 50, atOnce: 4 };
/** Other workers may take the slot that this one has chosen. */
const MAX_TRIES = 5;

/**
 * A claim, or why there is none: `failed` means that the delivery has already failed, `postponed` that its hour is used up, or
 * that an earlier one has to go out before it.
 */
export type ClaimResult = Claim | 'not-due' | 'parked' | 'postponed' | 'failed';

/**
 * Decides which worker makes an attempt, and when. One worker at a time attempts a delivery, and only a few attempts to
 * one receiver are under way, fewer when it is degraded. Attempts to degraded receivers take up at most half of what
 * this process can do at once, and those of one user leave places for others (`OwnerSlots`).
 */
export class DeliveryClaims {
  private degradedInFlight = 0;
  private readonly waitlist: SlotWaitlist;
  private readonly renewer: ClaimRenewer;
  private readonly owners: OwnerSlots;
  private readonly reads = new Gathered((ids: readonly number[]) => readDeliveries(this.pool, ids), TOGETHER);
  private readonly takes = new Gathered(
    (claims: readonly WantedClaim[]) => takeClaims(this.pool, claims, this.clock.now()),
    TOGETHER,
  );

  constructor(
    private readonly pool: Pool,
    private readonly slots: ReceiverSlots,
    private readonly parked: ParkedDeliveries,
    private readonly clock: Clock,
    private readonly concurrency: number,
    private readonly mails: MailGate,
    private readonly digests: Digests,
  ) {
    this.waitlist = new SlotWaitlist(clock);
    this.renewer = new ClaimRenewer(pool, clock);
    this.owners = new OwnerSlots(concurrency);
  }

  /**
   * Claims the attempt that is due. A delivery is parked while its receiver is paused or has no free slot, or its owner no place.
   * The slots of a receiver that is known in advance are looked at while the delivery is read.
   */
  async claim(deliveryId: number, receiver?: string | null): Promise<ClaimResult> {
    const look = receiver ? issued(this.slots.look(receiver)) : undefined;
    const row = await this.reads.add(deliveryId);
    if (row?.status === 'failed') return 'failed';
    if (!row || !isDue(row, this.clock.now())) return 'not-due';
    const refusal = whyNotSent(row);
    if (refusal === null && isInDigest(row)) {
      await leaveInDigest(this.pool, row.id, this.clock.now());
      return 'postponed';
    }
    const untilMs = refusal === null && row.resolved ? await waitForEarlier(this.pool, row, this.clock.now()) : null;
    if (untilMs !== null) {
      await postpone(this.pool, row.id, untilMs, this.clock.now());
      return 'postponed';
    }
    const mail = refusal === null && isMail(row.type) ? await this.mails.look(row) : null;
    if (mail?.waitUntilMs) {
      await postpone(this.pool, row.id, mail.waitUntilMs, this.clock.now());
      return 'postponed';
    }
    const claim = {
      row,
      token: randomInt(2 ** 47),
      whyNotSent: refusal ?? mail?.whyNotSent ?? null,
      ...(mail && { unsubscribeUrl: mail.unsubscribeUrl, acknowledgeUrl: mail.acknowledgeUrl }),
      slot: null,
      isDegraded: (row.failures ?? 0) >= DEGRADED_AFTER,
    };
    if (claim.whyNotSent !== null || row.receiver === null) {
      return (await this.take(claim, null)) === 'taken' ? claim : 'not-due';
    }
    if (row.paused_ms !== null) {
      await this.parked.park(row);
      return 'parked';
    }
    const known = row.receiver === receiver ? look : undefined;
    if (claim.isDegraded) return this.claimDegraded(claim, row.receiver, known);
    return this.claimSlot(claim, row.receiver, known);
  }

  /**
   * Charges a claimed delivery to the minute of its notification, and a mail to its hour. False when that is used up: then the claim
   * has ended, and the delivery waits for its digest or its hour.
   */
  async charge(claim: Claim): Promise<boolean> {
    if (claim.whyNotSent !== null) return true;
    if (await this.digests.keep(claim)) return false;
    if (!isMail(claim.row.type)) return true;
    const untilMs = await this.mails.charge(claim.row);
    if (untilMs === null) return true;
    await postponeClaimed(this.pool, claim, untilMs);
    return false;
  }

  /** Releases a claim: counts for or against its receiver, and wakes the deliveries that wait for the slot or the place. */
  async release(claim: Claim, attempt: Attempt | 'postponed' | undefined): Promise<void> {
    const { row, token } = claim;
    this.renewer.release(token);
    const isAwaited = claim.slot !== null && this.owners.release(row.owner_id);
    await this.releaseSlot(claim, attempt);
    if (isAwaited) await this.parked.wake(laneOf(row.owner_id), false);
  }

  private async releaseSlot(
    { row, slot, isDegraded: wasDegraded }: Claim,
    attempt: Attempt | 'postponed' | undefined,
  ): Promise<void> {
    const { receiver } = row;
    if (slot === null || receiver === null) return;
    this.slots.release(receiver, slot);
    if (wasDegraded) this.degradedInFlight -= 1;
    if (!attempt) return;
    if (attempt === 'postponed') return this.parked.wake(receiver, wasDegraded);
    const isFailure = isReceiverFailure(row.type, attempt);
    this.waitlist.slotFreed(receiver, !isFailure && attempt.durationMs <= QUICK_MS);
    if (isFailure) await countFailure(this.pool, receiver, this.clock.now());
    else if (row.failures !== null) await forgetFailures(this.pool, receiver);
    await this.parked.wake(receiver, isFailure && (row.failures ?? 0) + 1 >= DEGRADED_AFTER);
  }

  private async claimDegraded(claim: Claim, receiver: string, look?: Promise<HeldSlots>): Promise<ClaimResult> {
    if (this.degradedInFlight >= Math.max(1, Math.floor(this.concurrency / 2))) {
      await this.parked.park(claim.row);
      return 'parked';
    }
    // Counted before the claim is written, because other calls check the count meanwhile.
    this.degradedInFlight += 1;
    let result: ClaimResult | undefined;
    try {
      result = await this.claimSlot(claim, receiver, look);
      return result;
    } finally {
      if (typeof result !== 'object') this.degradedInFlight -= 1;
    }
  }

  private async claimSlot(claim: Claim, receiver: string, look?: Promise<HeldSlots>): Promise<ClaimResult> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const slot = await this.slots.reserve(receiver, claim.isDegraded, attempt === 0 ? look : undefined);
      if (slot === undefined) {
        if (await this.waitlist.waitForSlot(receiver)) continue;
        break;
      }
      const result = await this.takeReserved(claim, receiver, slot);
      if (result === 'taken') return { ...claim, slot };
      if (result === 'not-due') return 'not-due';
      if (result === 'no-place') {
        await this.parked.park(claim.row, laneOf(claim.row.owner_id));
        return 'parked';
      }
    }
    await this.parked.park(claim.row);
    // The last slot may have been freed before the delivery was parked: then nothing else would wake it.
    await this.parked.wakeParked(receiver, claim.isDegraded);
    return 'parked';
  }

  /**
   * Takes a reserved slot, and a place of the owner. Releases both unless they are taken, also when MySQL fails: this
   * process would never use them again.
   */
  private async takeReserved(claim: Claim, receiver: string, slot: number): Promise<TakeResult | 'no-place'> {
    const hasPlace = this.owners.take(claim.row.owner_id);
    let result: TakeResult | 'no-place' | undefined;
    try {
      result = hasPlace ? await this.take(claim, slot) : 'no-place';
      return result;
    } finally {
      if (result !== 'taken') this.slots.release(receiver, slot);
      if (hasPlace && result !== 'taken') this.owners.release(claim.row.owner_id);
    }
  }

  private async take(claim: Claim, slot: number | null): Promise<TakeResult> {
    const result = await this.takes.add({ ...claim, slot });
    if (result === 'taken') this.renewer.start(claim.token, claim.row.id);
    return result;
  }
}

import { randomInt } from 'node:crypto';
import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { Batcher } from '../storage/batcher';
import { pipelined } from '../storage/pipeline';
import type { Attempt, Lease } from './attempt';
import { type Digests, isInDigest, leaveInDigest } from './digests';
import { waitForEarlier } from './earlier-deliveries';
import { LeaseRenewer } from './lease-renewer';
import {
  countFailure,
  forgetFailures,
  isDue,
  postpone,
  postponeLeased,
  readDeliveries,
  type TakeResult,
  takeLeases,
  type WantedLease,
} from './lease-rows';
import type { MailGate } from './mail/mail-gate';
import { isMail } from './mail/mail-recipients';
import { whyNotSent } from './outgoing-delivery';
import { PermitWaiters } from './permit-waiters';
import { DEGRADED_AFTER, isReceiverFailure } from './receiver-health';
import type { HeldPermits, ReceiverPermits } from './receiver-permits';
import { laneOf, TenantPermits } from './tenant-permits';
import type { ThrottledDeliveries } from './throttled-deliveries';

/** A receiver that answers within this time frees its permits quickly, so waiting for one is worthwhile. */
const QUICK_MS = 100;
/** Leases of the same moment share statements. A locked row delays only the leases of its group. */
const TOGETHER = { most: 50, atOnce: 4 };
/** Maximum number of permits to try: other workers may take the chosen one first. */
const MAX_TRIES = 5;

/**
 * A lease, or why there is none. `failed`: the delivery has already failed. `postponed`: the allowance of its hour is
 * used up, or an earlier delivery has to go out first.
 */
export type LeaseResult = Lease | 'not-due' | 'parked' | 'postponed' | 'failed';

/**
 * Decides which worker makes an attempt, and when. One worker at a time attempts a delivery, and only a few attempts to
 * one receiver run at once, fewer if it is degraded. Attempts to degraded receivers take at most half of this process's
 * capacity, and attempts of one user leave permits for others (`TenantPermits`).
 */
export class DeliveryLeases {
  private degradedInFlight = 0;
  private readonly waitlist: PermitWaiters;
  private readonly renewer: LeaseRenewer;
  private readonly owners: TenantPermits;
  private readonly reads = new Batcher((ids: readonly number[]) => readDeliveries(this.pool, ids), TOGETHER);
  private readonly takes = new Batcher(
    (leases: readonly WantedLease[]) => takeLeases(this.pool, leases, this.clock.now()),
    TOGETHER,
  );

  constructor(
    private readonly pool: Pool,
    private readonly permits: ReceiverPermits,
    private readonly parked: ThrottledDeliveries,
    private readonly clock: Clock,
    private readonly concurrency: number,
    private readonly mails: MailGate,
    private readonly digests: Digests,
  ) {
    this.waitlist = new PermitWaiters(clock);
    this.renewer = new LeaseRenewer(pool, clock);
    this.owners = new TenantPermits(concurrency);
  }

  /**
   * Leases the attempt that is due. A delivery is throttled while its receiver is paused or has no free permit, or
   * while its owner has no free permit. If the receiver is known in advance, its permits are read together with the
   * delivery.
   */
  async lease(deliveryId: number, receiver?: string | null): Promise<LeaseResult> {
    const look = receiver ? pipelined(this.permits.look(receiver)) : undefined;
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
    const lease = {
      row,
      token: randomInt(2 ** 47),
      whyNotSent: refusal ?? mail?.whyNotSent ?? null,
      ...(mail && { unsubscribeUrl: mail.unsubscribeUrl, acknowledgeUrl: mail.acknowledgeUrl }),
      permit: null,
      isDegraded: (row.failures ?? 0) >= DEGRADED_AFTER,
    };
    if (lease.whyNotSent !== null || row.receiver === null) {
      return (await this.take(lease, null)) === 'taken' ? lease : 'not-due';
    }
    if (row.paused_ms !== null) {
      await this.parked.park(row);
      return 'parked';
    }
    const known = row.receiver === receiver ? look : undefined;
    if (lease.isDegraded) return this.leaseDegraded(lease, row.receiver, known);
    return this.leasePermit(lease, row.receiver, known);
  }

  /**
   * Charges a leased delivery to the minute of its notification, and a mail to its hour. Returns false if the allowance
   * is used up: the lease has then ended, and the delivery waits for its digest or for the next hour.
   */
  async charge(lease: Lease): Promise<boolean> {
    if (lease.whyNotSent !== null) return true;
    if (await this.digests.keep(lease)) return false;
    if (!isMail(lease.row.type)) return true;
    const untilMs = await this.mails.charge(lease.row);
    if (untilMs === null) return true;
    await postponeLeased(this.pool, lease, untilMs);
    return false;
  }

  /**
   * Releases a lease: counts for or against its receiver, and wakes deliveries that wait for the permit of the receiver
   * or owner.
   */
  async release(lease: Lease, attempt: Attempt | 'postponed' | undefined): Promise<void> {
    const { row, token } = lease;
    this.renewer.release(token);
    const isAwaited = lease.permit !== null && this.owners.release(row.owner_id);
    await this.releasePermit(lease, attempt);
    if (isAwaited) await this.parked.wake(laneOf(row.owner_id), false);
  }

  private async releasePermit(
    { row, permit, isDegraded: wasDegraded }: Lease,
    attempt: Attempt | 'postponed' | undefined,
  ): Promise<void> {
    const { receiver } = row;
    if (permit === null || receiver === null) return;
    this.permits.release(receiver, permit);
    if (wasDegraded) this.degradedInFlight -= 1;
    if (!attempt) return;
    if (attempt === 'postponed') return this.parked.wake(receiver, wasDegraded);
    const isFailure = isReceiverFailure(row.type, attempt);
    this.waitlist.permitFreed(receiver, !isFailure && attempt.durationMs <= QUICK_MS);
    if (isFailure) await countFailure(this.pool, receiver, this.clock.now());
    else if (row.failures !== null) await forgetFailures(this.pool, receiver);
    await this.parked.wake(receiver, isFailure && (row.failures ?? 0) + 1 >= DEGRADED_AFTER);
  }

  private async leaseDegraded(lease: Lease, receiver: string, look?: Promise<HeldPermits>): Promise<LeaseResult> {
    if (this.degradedInFlight >= Math.max(1, Math.floor(this.concurrency / 2))) {
      await this.parked.park(lease.row);
      return 'parked';
    }
    // Counted before the lease is written, because other calls check the count meanwhile.
    this.degradedInFlight += 1;
    let result: LeaseResult | undefined;
    try {
      result = await this.leasePermit(lease, receiver, look);
      return result;
    } finally {
      if (typeof result !== 'object') this.degradedInFlight -= 1;
    }
  }

  private async leasePermit(lease: Lease, receiver: string, look?: Promise<HeldPermits>): Promise<LeaseResult> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const permit = await this.permits.reserve(receiver, lease.isDegraded, attempt === 0 ? look : undefined);
      if (permit === undefined) {
        if (await this.waitlist.waitForPermit(receiver)) continue;
        break;
      }
      const result = await this.takeReserved(lease, receiver, permit);
      if (result === 'taken') return { ...lease, permit };
      if (result === 'not-due') return 'not-due';
      if (result === 'no-place') {
        await this.parked.park(lease.row, laneOf(lease.row.owner_id));
        return 'parked';
      }
    }
    await this.parked.park(lease.row);
    // The last permit may have been freed before the delivery was throttled: then nothing else would wake it.
    await this.parked.wakeThrottled(receiver, lease.isDegraded);
    return 'parked';
  }

  /**
   * Takes a reserved permit and a permit of the owner. Releases both unless they are taken, even if MySQL fails:
   * otherwise this process would never use them again.
   */
  private async takeReserved(lease: Lease, receiver: string, permit: number): Promise<TakeResult | 'no-place'> {
    const hasPlace = this.owners.take(lease.row.owner_id);
    let result: TakeResult | 'no-place' | undefined;
    try {
      result = hasPlace ? await this.take(lease, permit) : 'no-place';
      return result;
    } finally {
      if (result !== 'taken') this.permits.release(receiver, permit);
      if (hasPlace && result !== 'taken') this.owners.release(lease.row.owner_id);
    }
  }

  private async take(lease: Lease, permit: number | null): Promise<TakeResult> {
    const result = await this.takes.add({ ...lease, permit });
    if (result === 'taken') this.renewer.start(lease.token, lease.row.id);
    return result;
  }
}

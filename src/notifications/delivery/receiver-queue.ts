import { randomInt } from 'node:crypto';
import type { Pool } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import type { AttemptContext, Lease } from './attempt';
import {
  countFailure,
  DEGRADED_AFTER,
  forgetFailures,
  isReceiverFailure,
  LeaseRenewer,
  type TakeResult,
  takeLeases,
} from './leases';
import { PermitWaiters, queueOfTenant, ReceiverPermits, TenantPermits } from './permits';
import { type DividedNudges, ThrottledDeliveries } from './throttled-deliveries';

/** A locked row delays only the leases of its group. */
const TOGETHER = { most: 50, atOnce: 4 };
/** Waiting for a permit of such a receiver is worthwhile. */
const QUICK_MS = 100;
/** Other workers may take the chosen permit first. */
const MAX_TRIES = 5;

/** Maximum numbers of concurrent attempts. */
export interface ReceiverLimits {
  /** In all processes. */
  perReceiver: number;
  perProcess: number;
}

type LeaseEnd = 'not-due' | 'throttled' | undefined;

/**
 * One worker at a time attempts a delivery, and few attempts to one receiver run at once. Degraded receivers get at
 * most half of the process. An attempt that ends makes throttled deliveries due.
 */
export class ReceiverQueue {
  private degradedInFlight = 0;
  private readonly permits: ReceiverPermits;
  private readonly throttled: ThrottledDeliveries;
  private readonly waiters: PermitWaiters;
  private readonly renewer: LeaseRenewer;
  private readonly tenants: TenantPermits;
  private readonly takes = new Batcher(
    (leases: readonly Lease[]) => takeLeases(this.pool, leases, this.clock.now()),
    TOGETHER,
  );

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly limits: ReceiverLimits,
  ) {
    this.permits = new ReceiverPermits(pool, clock, limits.perReceiver);
    this.throttled = new ThrottledDeliveries(pool, this.permits, clock);
    this.waiters = new PermitWaiters(clock);
    this.renewer = new LeaseRenewer(pool, clock);
    this.tenants = new TenantPermits(limits.perProcess);
  }

  /** The surplus finds no permit for now. Goes round-robin over owners. */
  divide(nudges: readonly DeliveryNudge[]): DividedNudges {
    return this.throttled.divide(nudges);
  }

  throttleAll(nudges: readonly DeliveryNudge[]): Promise<void> {
    return this.throttled.throttleAll(nudges);
  }

  /** Returns nudges. */
  wakeAll(): Promise<DeliveryNudge[]> {
    return this.throttled.wakeAll();
  }

  /** Throttles the delivery while its receiver is paused, or while receiver or owner has no free permit. */
  async lease(context: AttemptContext): Promise<LeaseEnd> {
    const { row, whyNotSent } = context;
    const isDegraded = (row.failures ?? 0) >= DEGRADED_AFTER;
    const lease = { row, token: randomInt(2 ** 47), permit: null, isDegraded };
    if (whyNotSent !== null || row.receiver === null) return this.leaseWithoutPermit(context, lease);
    if (row.paused_ms !== null || (isDegraded && this.isFullOfDegraded())) {
      await this.throttled.throttle(row);
      return 'throttled';
    }
    // Other calls check the count while the lease is written.
    if (isDegraded) this.degradedInFlight += 1;
    try {
      return await this.leasePermit(context, lease, row.receiver);
    } finally {
      if (isDegraded && !context.lease) this.degradedInFlight -= 1;
    }
  }

  /** Makes deliveries due that wait for the permit. Does nothing without a lease. */
  async release(context: AttemptContext): Promise<void> {
    const { row, lease } = context;
    if (!lease) return;
    this.renewer.release(lease.token);
    if (lease.permit === null || row.receiver === null) return;
    const isAwaited = this.tenants.release(row.owner_id);
    this.permits.release(row.receiver, lease.permit);
    if (lease.isDegraded) this.degradedInFlight -= 1;
    const isDegraded = await this.judge(context);
    context.nudges.push(...(await this.throttled.wake(row.receiver, isDegraded)));
    if (isAwaited) context.nudges.push(...(await this.throttled.wake(queueOfTenant(row.owner_id), false)));
  }

  /** True if the receiver is degraded now. */
  private async judge({ row, attempt }: AttemptContext): Promise<boolean> {
    const failures = row.failures ?? 0;
    if (!attempt || row.receiver === null) return failures >= DEGRADED_AFTER;
    const isFailure = isReceiverFailure(row.type, attempt);
    this.waiters.permitFreed(row.receiver, !isFailure && attempt.durationMs <= QUICK_MS);
    if (isFailure) {
      await countFailure(this.pool, row.receiver, this.clock.now());
      return failures + 1 >= DEGRADED_AFTER;
    }
    if (row.failures !== null) await forgetFailures(this.pool, row.receiver);
    return false;
  }

  private isFullOfDegraded(): boolean {
    return this.degradedInFlight >= Math.max(1, Math.floor(this.limits.perProcess / 2));
  }

  private async leaseWithoutPermit(context: AttemptContext, lease: Lease): Promise<LeaseEnd> {
    if ((await this.take(lease)) !== 'taken') return 'not-due';
    context.lease = lease;
    return undefined;
  }

  private async leasePermit(context: AttemptContext, lease: Lease, receiver: string): Promise<LeaseEnd> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const permit = await this.permits.reserve(receiver, lease.isDegraded);
      if (permit === undefined) {
        if (await this.waiters.waitForPermit(receiver)) continue;
        break;
      }
      const reserved = { ...lease, permit };
      const result = await this.takeReserved(reserved, receiver, permit);
      if (result === 'taken') {
        context.lease = reserved;
        return undefined;
      }
      if (result === 'not-due') return 'not-due';
      if (result === 'no-place') {
        await this.throttleForPlace(context);
        return 'throttled';
      }
    }
    await this.throttled.throttle(lease.row);
    // If the last permit was freed meanwhile, nothing else would wake the delivery.
    context.nudges.push(...(await this.throttled.wakeThrottled(receiver, lease.isDegraded)));
    return 'throttled';
  }

  private async throttleForPlace({ row, nudges }: AttemptContext): Promise<void> {
    const queue = queueOfTenant(row.owner_id);
    await this.throttled.throttle(row, queue);
    // If the owner's last attempt ended meanwhile, nothing else would wake the delivery.
    if (!this.tenants.isAwaited(row.owner_id)) nudges.push(...(await this.throttled.wakeThrottled(queue, false)));
  }

  /**
   * Releases both permits unless they are taken, even if MySQL fails: otherwise this process would never use them
   * again.
   */
  private async takeReserved(lease: Lease, receiver: string, permit: number): Promise<TakeResult | 'no-place'> {
    const hasPlace = this.tenants.take(lease.row.owner_id);
    let result: TakeResult | 'no-place' | undefined;
    try {
      result = hasPlace ? await this.take(lease) : 'no-place';
      return result;
    } finally {
      if (result !== 'taken') this.permits.release(receiver, permit);
      if (hasPlace && result !== 'taken') this.tenants.release(lease.row.owner_id);
    }
  }

  private async take(lease: Lease): Promise<TakeResult> {
    const result = await this.takes.add(lease);
    if (result === 'taken') this.renewer.start(lease.token, lease.row.id);
    return result;
  }
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import { lockFreeRows } from '../../storage/free-rows';
import { inPoolTransaction } from '../../storage/transaction';
import { IS_FREE } from './delivery-rows';

const DEGRADED_FRACTION = 1 / 4;

const READS = { most: 100, atOnce: 2 };

export interface ReceiverState {
  receiver: string;
  isDegraded: boolean;
}

type HeldPermits = ReadonlySet<number>;

const NONE: HeldPermits = new Set();

interface PermitRow {
  id: number;
  receiver: string;
  permit: number;
  untilMs: number | null;
}

/**
 * Limits the concurrent attempts to one receiver across all workers. A unique key protects each numbered permit.
 * Competing for one costs time, so this process reserves it first.
 */
export class ReceiverPermits {
  private readonly reserved = new Map<string, Set<number>>();
  private readonly reads = new Batcher((receivers: readonly string[]) => this.readHeld(receivers), READS);

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    readonly perReceiver: number,
  ) {}

  /** Undefined if none is free. Release the permit after the attempt or a failed lease. */
  async reserve(receiver: string, isDegraded: boolean): Promise<number | undefined> {
    if ((this.reserved.get(receiver)?.size ?? 0) >= this.limit(isDegraded)) return undefined;
    const held = await this.reads.add(receiver);
    const [permit] = shuffled(this.freeOf({ receiver, isDegraded }, held)); // others may have reserved some
    if (permit === undefined) return undefined;
    this.reserved.set(receiver, (this.reserved.get(receiver) ?? new Set()).add(permit));
    return permit;
  }

  release(receiver: string, permit: number): void {
    const reserved = this.reserved.get(receiver);
    reserved?.delete(permit);
    if (reserved?.size === 0) this.reserved.delete(receiver);
  }

  /** By receiver. A reservation's lease may still wait for a lock. */
  async freeOfEach(receivers: readonly ReceiverState[]): Promise<Map<string, number[]>> {
    if (receivers.length === 0) return new Map();
    const held = await this.heldPermits(receivers.map(({ receiver }) => receiver));
    return new Map(receivers.map((state) => [state.receiver, this.freeOf(state, held.get(state.receiver) ?? NONE)]));
  }

  /** Permits beyond the limit of a newly degraded receiver count as well. */
  private freeOf({ receiver, isDegraded }: ReceiverState, held: HeldPermits): number[] {
    const limit = this.limit(isDegraded);
    const numbers = Array.from({ length: limit }, (_, index) => index + 1).filter((permit) => !held.has(permit));
    const reserved = this.reserved.get(receiver);
    return numbers.slice(0, Math.max(0, limit - held.size)).filter((permit) => !reserved?.has(permit));
  }

  /** Concurrent attempts to a receiver. */
  limit(isDegraded: boolean): number {
    return isDegraded ? Math.max(1, Math.floor(this.perReceiver * DEGRADED_FRACTION)) : this.perReceiver;
  }

  private async readHeld(receivers: readonly string[]): Promise<HeldPermits[]> {
    const held = await this.heldPermits([...new Set(receivers)]);
    return receivers.map((receiver) => held.get(receiver) ?? NONE);
  }

  private async heldPermits(receivers: readonly string[]): Promise<Map<string, Set<number>>> {
    const nowMs = this.clock.now();
    const [rows] = await this.pool.query<(RowDataPacket & PermitRow)[]>(
      'SELECT id, receiver, permit, lease_until_ms AS untilMs FROM deliveries WHERE receiver IN (?) AND permit IS NOT NULL',
      [receivers],
    );
    const abandoned = rows.filter(({ untilMs }) => untilMs === null || untilMs <= nowMs);
    const freed = abandoned.length > 0 ? await this.freeAbandoned(abandoned, nowMs) : new Set<number>();
    const held = new Map<string, Set<number>>();
    for (const { id, receiver, permit } of rows) {
      if (!freed.has(id)) held.set(receiver, (held.get(receiver) ?? new Set()).add(permit));
    }
    return held;
  }

  /** Spares rows that a paused worker has locked: waiting for the lock would block this worker as well. */
  private freeAbandoned(abandoned: readonly PermitRow[], nowMs: number): Promise<Set<number>> {
    return inPoolTransaction(this.pool, async (connection) => {
      const rows = await lockFreeRows<Pick<PermitRow, 'id'>>(
        connection,
        abandoned.map(({ id }) => id),
        {
          sql: `SELECT id FROM deliveries WHERE id IN (?) AND permit IS NOT NULL AND ${IS_FREE}`,
          values: [nowMs],
        },
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await connection.query('UPDATE deliveries SET permit = NULL WHERE id IN (?)', [ids]);
      return new Set(ids);
    });
  }
}

/** Workers then rarely choose the same permit. */
function shuffled(numbers: number[]): number[] {
  return numbers
    .map((number) => ({ number, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ number }) => number);
}

const PER_FREE_PLACE = 8;

/**
 * Shares the capacity of one process: one user gets at most eight ninths, the next one eight ninths of the rest. After
 * A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998).
 */
export class TenantPermits {
  private readonly underWay = new Map<number, number>();
  private total = 0;
  /** Users who were refused since one of their permits was released. */
  private readonly refused = new Set<number>();

  constructor(private readonly places: number) {}

  /** False if the user has used their share. */
  take(ownerId: number): boolean {
    const own = this.underWay.get(ownerId) ?? 0;
    const free = this.places - this.total;
    if (own > 0 && (free <= 1 || own >= PER_FREE_PLACE * free)) {
      this.refused.add(ownerId);
      return false;
    }
    this.underWay.set(ownerId, own + 1);
    this.total += 1;
    return true;
  }

  /** True if a delivery of the user was refused, and the release of another permit will say so. */
  isAwaited(ownerId: number): boolean {
    return this.refused.has(ownerId);
  }

  /** True if a delivery of the user waits for the permit. */
  release(ownerId: number): boolean {
    const left = (this.underWay.get(ownerId) ?? 0) - 1;
    this.total -= 1;
    if (left > 0) this.underWay.set(ownerId, left);
    else this.underWay.delete(ownerId);
    return left > 0 ? this.refused.has(ownerId) : this.refused.delete(ownerId);
  }
}

/** Holds deliveries whose owner has no permit. */
export function queueOfTenant(ownerId: number): string {
  return `user:${ownerId}`;
}

const QUICK_FOR_MS = 1_000;
const MAX_WAIT_MS = 50;
const MAX_RECEIVERS = 1_000;

interface ReceiverWaiters {
  quickUntilMs: number;
  waiting: (() => void)[];
}

/**
 * Throttling costs more time than the response of a quick receiver, so a lease waits a moment. A lost waiter, or a wait
 * in vain, does no harm.
 */
export class PermitWaiters {
  private readonly receivers = new Map<string, ReceiverWaiters>();

  constructor(private readonly clock: Clock) {}

  /** Call it when an attempt has ended. */
  permitFreed(receiver: string, wasQuick: boolean): void {
    const waiters = this.receivers.get(receiver) ?? { quickUntilMs: 0, waiting: [] };
    waiters.quickUntilMs = wasQuick ? this.clock.now() + QUICK_FOR_MS : 0;
    waiters.waiting[0]?.();
    if (this.receivers.size >= MAX_RECEIVERS) this.forgetIdle();
    this.receivers.set(receiver, waiters);
  }

  /** Waits up to 50 ms. False at once if the receiver is not known to be quick. */
  async waitForPermit(receiver: string): Promise<boolean> {
    const waiters = this.receivers.get(receiver);
    if (!waiters || waiters.quickUntilMs < this.clock.now()) return false;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiters.waiting.splice(waiters.waiting.indexOf(end), 1);
        resolve();
      };
      const timer = setTimeout(end, MAX_WAIT_MS);
      waiters.waiting.push(end);
    });
    return true;
  }

  private forgetIdle(): void {
    for (const [receiver, { quickUntilMs, waiting }] of this.receivers) {
      if (quickUntilMs < this.clock.now() && waiting.length === 0) this.receivers.delete(receiver);
    }
  }
}

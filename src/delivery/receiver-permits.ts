import type { Pool, RowDataPacket } from 'mysql2/promise';
import { Batcher } from '../platform/batcher';
import type { Clock } from '../platform/clock';
import { lockFreeRows } from '../storage/free-rows';
import { inPoolTransaction } from '../storage/transaction';

/** Fraction of the permits that a degraded receiver gets, at least one. */
const DEGRADED_FRACTION = 1 / 4;

/** Leases that read permits at the same time share a query. */
const READS = { most: 100, atOnce: 2 };

export interface ReceiverState {
  receiver: string;
  isDegraded: boolean;
}

/** The numbers of the permits that attempts hold, in any process. */
type HeldPermits = ReadonlySet<number>;

const NONE: HeldPermits = new Set();

interface PermitRow {
  id: number;
  receiver: string;
  permit: number;
  untilMs: number | null;
}

/**
 * Limits the concurrent attempts to one receiver across all workers. Each attempt holds a numbered permit, and a unique
 * key prevents two from holding the same one. Within this process a permit is reserved first, because competing for one
 * would cost time.
 */
export class ReceiverPermits {
  private readonly reserved = new Map<string, Set<number>>();
  private readonly reads = new Batcher((receivers: readonly string[]) => this.readHeld(receivers), READS);

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    readonly perReceiver: number,
  ) {}

  /**
   * Reserves a permit to lease, or returns undefined if none is free. Release it after the attempt or a failed lease.
   */
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

  /**
   * For each receiver, the permits that are neither held nor reserved by this process, whose lease may still wait for a
   * lock.
   */
  async freeOfEach(receivers: readonly ReceiverState[]): Promise<Map<string, number[]>> {
    if (receivers.length === 0) return new Map();
    const held = await this.heldPermits(receivers.map(({ receiver }) => receiver));
    return new Map(receivers.map((state) => [state.receiver, this.freeOf(state, held.get(state.receiver) ?? NONE)]));
  }

  /** A receiver that has just become degraded may hold permits beyond its current limit. These count as well. */
  private freeOf({ receiver, isDegraded }: ReceiverState, held: HeldPermits): number[] {
    const limit = this.limit(isDegraded);
    const numbers = Array.from({ length: limit }, (_, index) => index + 1).filter((permit) => !held.has(permit));
    const reserved = this.reserved.get(receiver);
    return numbers.slice(0, Math.max(0, limit - held.size)).filter((permit) => !reserved?.has(permit));
  }

  /** Maximum number of concurrent attempts to a receiver. */
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
      'SELECT id, receiver, slot AS permit, claimed_until_ms AS untilMs FROM deliveries WHERE receiver IN (?) AND slot IS NOT NULL',
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

  /**
   * Frees the permits of dead workers, whose leases have expired. A row that a paused worker has locked keeps its
   * permit: waiting for the lock would block this worker as well.
   */
  private freeAbandoned(abandoned: readonly PermitRow[], nowMs: number): Promise<Set<number>> {
    return inPoolTransaction(this.pool, async (connection) => {
      const rows = await lockFreeRows<Pick<PermitRow, 'id'>>(
        connection,
        abandoned.map(({ id }) => id),
        {
          sql: 'SELECT id FROM deliveries WHERE id IN (?) AND slot IS NOT NULL AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)',
          values: [nowMs],
        },
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await connection.query('UPDATE deliveries SET slot = NULL WHERE id IN (?)', [ids]);
      return new Set(ids);
    });
  }
}

/** In random order, so that workers that choose at the same time rarely choose the same permit. */
function shuffled(numbers: number[]): number[] {
  return numbers
    .map((number) => ({ number, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ number }) => number);
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { lockFreeRows } from '../storage/free-rows';
import { Gathered } from '../storage/gathered';
import { inPoolTransaction } from '../storage/transaction';

/** A degraded receiver gets this fraction of the slots, at least one. */
const DEGRADED_FRACTION = 1 / 4;

/** Claims that look for slots at the same time share a query. */
const READS = { most: 100, atOnce: 2 };

/** A receiver, and whether it is degraded. */
export interface ReceiverState {
  receiver: string;
  isDegraded: boolean;
}

/** The numbers of slots that attempts hold, in any process. */
export type HeldSlots = ReadonlySet<number>;

const NONE: HeldSlots = new Set();

interface SlotRow {
  id: number;
  receiver: string;
  slot: number;
  untilMs: number | null;
}

/**
 * Limits the attempts under way to one receiver over all workers: each holds a numbered slot, and a unique key prevents
 * two from holding the same. Within this process a slot is reserved first, because competing for one would cost time.
 */
export class ReceiverSlots {
  private readonly reserved = new Map<string, Set<number>>();
  private readonly reads = new Gathered((receivers: readonly string[]) => this.readHeld(receivers), READS);

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    readonly perReceiver: number,
  ) {}

  /** Reads which slots of a receiver are held. */
  look(receiver: string): Promise<HeldSlots> {
    return this.reads.add(receiver);
  }

  /**
   * Reserves a slot to claim, or returns undefined when none is free. Release it after the attempt or a failed claim. A caller may have
   * begun to look before.
   */
  async reserve(receiver: string, isDegraded: boolean, look?: Promise<HeldSlots>): Promise<number | undefined> {
    if ((this.reserved.get(receiver)?.size ?? 0) >= this.limit(isDegraded)) return undefined;
    const held = await (look ?? this.look(receiver));
    const [slot] = shuffled(this.freeOf({ receiver, isDegraded }, held)); // other calls may have reserved some meanwhile
    if (slot === undefined) return undefined;
    this.reserved.set(receiver, (this.reserved.get(receiver) ?? new Set()).add(slot));
    return slot;
  }

  release(receiver: string, slot: number): void {
    const reserved = this.reserved.get(receiver);
    reserved?.delete(slot);
    if (reserved?.size === 0) this.reserved.delete(receiver);
  }

  /** Of each receiver the slots that are neither held nor reserved by this process, whose claim may still wait for a lock. */
  async freeOfEach(receivers: readonly ReceiverState[]): Promise<Map<string, number[]>> {
    if (receivers.length === 0) return new Map();
    const held = await this.heldSlots(receivers.map(({ receiver }) => receiver));
    return new Map(receivers.map((state) => [state.receiver, this.freeOf(state, held.get(state.receiver) ?? NONE)]));
  }

  /** A receiver that has just become degraded may hold slots beyond its present limit: they count, too. */
  private freeOf({ receiver, isDegraded }: ReceiverState, held: HeldSlots): number[] {
    const limit = this.limit(isDegraded);
    const numbers = Array.from({ length: limit }, (_, index) => index + 1).filter((slot) => !held.has(slot));
    const reserved = this.reserved.get(receiver);
    return numbers.slice(0, Math.max(0, limit - held.size)).filter((slot) => !reserved?.has(slot));
  }

  /** How many attempts to a receiver may be under way. */
  limit(isDegraded: boolean): number {
    return isDegraded ? Math.max(1, Math.floor(this.perReceiver * DEGRADED_FRACTION)) : this.perReceiver;
  }

  private async readHeld(receivers: readonly string[]): Promise<HeldSlots[]> {
    const held = await this.heldSlots([...new Set(receivers)]);
    return receivers.map((receiver) => held.get(receiver) ?? NONE);
  }

  private async heldSlots(receivers: readonly string[]): Promise<Map<string, Set<number>>> {
    const nowMs = this.clock.now();
    const [rows] = await this.pool.query<(RowDataPacket & SlotRow)[]>(
      'SELECT id, receiver, slot, claimed_until_ms AS untilMs FROM deliveries WHERE receiver IN (?) AND slot IS NOT NULL',
      [receivers],
    );
    const abandoned = rows.filter(({ untilMs }) => untilMs === null || untilMs <= nowMs);
    const freed = abandoned.length > 0 ? await this.freeAbandoned(abandoned, nowMs) : new Set<number>();
    const held = new Map<string, Set<number>>();
    for (const { id, receiver, slot } of rows) {
      if (!freed.has(id)) held.set(receiver, (held.get(receiver) ?? new Set()).add(slot));
    }
    return held;
  }

  /**
   * Frees the slots of dead workers, whose claims have expired. A row that a paused worker has locked keeps its slot:
   * waiting for the lock would block this worker, too.
   */
  private freeAbandoned(abandoned: readonly SlotRow[], nowMs: number): Promise<Set<number>> {
    return inPoolTransaction(this.pool, async (connection) => {
      const rows = await lockFreeRows<Pick<SlotRow, 'id'>>(
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

/** In random order, so that workers that choose at the same time rarely choose the same. */
function shuffled(numbers: number[]): number[] {
  return numbers
    .map((number) => ({ number, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ number }) => number);
}

import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { inPoolTransaction } from '../database/transaction';

/** An degraded receiver gets this part of the slots, and one at least. */
const DEGRADED_SHARE = 4;

interface SlotRow {
  id: number;
  slot: number;
  untilMs: number | null;
}

/**
 * The attempts that may be under way to one receiver at the same time, over all workers: numbered slots, which a unique
 * key keeps from being held twice. Within this process nobody even tries the same one: that would only cost.
 */
export class ReceiverSlots {
  private readonly wanted = new Map<string, Set<number>>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly perReceiver: number,
  ) {}

  /** A slot to try, or undefined when none is free. It is given back when the attempt has ended, or the try failed. */
  async reserve(receiver: string, isDegraded: boolean): Promise<number | undefined> {
    if ((this.wanted.get(receiver)?.size ?? 0) >= this.limit(isDegraded)) return undefined;
    const free = await this.free(receiver, isDegraded);
    const [slot] = shuffled(this.untried(receiver, free)); // another may have begun to try one meanwhile
    if (slot === undefined) return undefined;
    this.wanted.set(receiver, (this.wanted.get(receiver) ?? new Set()).add(slot));
    return slot;
  }

  release(receiver: string, slot: number): void {
    const wanted = this.wanted.get(receiver);
    wanted?.delete(slot);
    if (wanted?.size === 0) this.wanted.delete(receiver);
  }

  /** The numbers of the slots that nobody holds, and nobody in this process is trying: a try may have to wait for a lock. */
  async free(receiver: string, isDegraded: boolean): Promise<number[]> {
    const limit = this.limit(isDegraded);
    const taken = await this.taken(receiver);
    const numbers = Array.from({ length: limit }, (_, index) => index + 1).filter((slot) => !taken.has(slot));
    // A receiver that began to fail may hold slots beyond its present share: they count, too.
    return this.untried(receiver, numbers.slice(0, Math.max(0, limit - taken.size)));
  }

  private untried(receiver: string, slots: readonly number[]): number[] {
    const wanted = this.wanted.get(receiver);
    return slots.filter((slot) => !wanted?.has(slot));
  }

  private limit(isDegraded: boolean): number {
    return isDegraded ? Math.max(1, Math.floor(this.perReceiver / DEGRADED_SHARE)) : this.perReceiver;
  }

  private async taken(receiver: string): Promise<Set<number>> {
    const nowMs = this.clock.now();
    const [rows] = await this.pool.query<(RowDataPacket & SlotRow)[]>(
      'SELECT id, slot, claimed_until_ms AS untilMs FROM deliveries WHERE receiver = ? AND slot IS NOT NULL',
      [receiver],
    );
    const abandoned = rows.filter(({ untilMs }) => untilMs === null || untilMs <= nowMs);
    const freed = abandoned.length > 0 ? await this.freeAbandoned(abandoned, nowMs) : new Set<number>();
    return new Set(rows.filter(({ id }) => !freed.has(id)).map(({ slot }) => slot));
  }

  /**
   * Their workers died: the claims have run out. What a worker that only stands still has locked stays taken, for whoever
   * waited for it would stand still as well.
   */
  private freeAbandoned(abandoned: readonly SlotRow[], nowMs: number): Promise<Set<number>> {
    return inPoolTransaction(this.pool, async (connection) => {
      const [rows] = await connection.query<(RowDataPacket & Pick<SlotRow, 'id'>)[]>(
        `SELECT id FROM deliveries WHERE id IN (?) AND slot IS NOT NULL AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)
         FOR UPDATE SKIP LOCKED`,
        [abandoned.map(({ id }) => id), nowMs],
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await connection.query('UPDATE deliveries SET slot = NULL WHERE id IN (?)', [ids]);
      return new Set(ids);
    });
  }
}

/** Workers who ask at once should rarely want the same. */
function shuffled(numbers: number[]): number[] {
  return numbers
    .map((number) => ({ number, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ number }) => number);
}

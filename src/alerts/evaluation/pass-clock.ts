import { setImmediate as nextTick } from 'node:timers/promises';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';

/**
 * Maximum time per owner in one pass, in ms: for evaluation alone, and including the computation of services. Services
 * do not stop a single row that takes longer.
 */
const EVALUATION_LIMIT_MS = 300;
const OWNER_LIMIT_MS = 1_000;
/** After this time, the remaining sensors are left to the next pass. */
const PASS_LIMIT_MS = 500;
/** Time that the services of other owners may take from an owner's pass, in ms for each of these others. */
const GUEST_LIMIT_MS = 100;
/** Time that the services of all these others may take. After it, each owner who has not begun gets one slice. */
const GUESTS_LIMIT_MS = 500;
/** Maximum time of computing before the event loop runs other work of the process. */
const YIELD_AFTER_MS = 20;
/**
 * Steps of work are measured after this time. If a slice of points takes less, the next slice is twice as large. The
 * clock is read after each slice.
 */
export const QUICK_MS = 5;

/** The rows of an owner take too long for one pass. The pass is rolled back and retried with fewer of them. */
export class PassTooLong extends Error {}

/** Measures the computing time of each owner in one pass, and ends a pass that takes too long. */
export class PassClock {
  private readonly spent = new Map<number, { ms: number; rows: number }>();
  private spentMs = 0;
  private guestsMs = 0;
  private yieldedAt: number;
  private measuredAt: number;

  constructor(
    private readonly shares: FairShareScheduler,
    /** How many rows of each owner the pass holds. */
    private readonly rowsOf: ReadonlyMap<number, number>,
  ) {
    this.yieldedAt = shares.now();
    this.measuredAt = this.yieldedAt;
  }

  /** True if other work of the process should run now. */
  get isYieldDue(): boolean {
    return this.measuredAt - this.yieldedAt > YIELD_AFTER_MS;
  }

  async yield(): Promise<void> {
    await nextTick();
    this.yieldedAt = this.shares.now();
  }

  /** True if the pass has computed long enough: the rest is left to the next pass. */
  get isFull(): boolean {
    return this.spentMs > PASS_LIMIT_MS;
  }

  /** Runs work for an owner: the evaluation of `rows` of their rows, or other work. Returns its duration in ms. */
  measure(ownerId: number, work: () => void, rows = 0): number {
    const started = this.shares.now();
    work();
    const ended = this.shares.now();
    const ms = ended - started;
    const before = this.spent.get(ownerId);
    this.spent.set(ownerId, { ms: (before?.ms ?? 0) + ms, rows: (before?.rows ?? 0) + rows });
    this.spentMs += ms;
    if (!this.rowsOf.get(ownerId)) this.guestsMs += ms;
    this.measuredAt = ended;
    return ms;
  }

  /** Runs steps of work for an owner for some milliseconds. Returns true if all of them are done. */
  runFor(ownerId: number, steps: Iterator<void, void>, rows = 0): boolean {
    let isDone = false;
    const untilMs = this.shares.now() + QUICK_MS;
    const run = () => {
      do isDone = steps.next().done === true;
      while (!isDone && this.shares.now() < untilMs);
    };
    this.measure(ownerId, run, rows);
    return isDone;
  }

  /** Runs steps of work for an owner, with pauses, until they are done. Returns false if `mustStop` ended them. */
  async runAll(ownerId: number, steps: Iterator<void, void>, mustStop: () => boolean): Promise<boolean> {
    for (;;) {
      if (mustStop()) return false;
      const isDone = this.runFor(ownerId, steps);
      if (this.isYieldDue) await this.yield();
      if (isDone) return true;
    }
  }

  /** True if the owner's time for one row is used up. */
  isSpent(ownerId: number): boolean {
    return (this.spent.get(ownerId)?.ms ?? 0) > OWNER_LIMIT_MS;
  }

  /** True if the evaluation of the owner's rows takes too long and would fit with fewer of them. */
  isCut(ownerId: number): boolean {
    return (this.rowsOf.get(ownerId) ?? 0) > 1 && (this.spent.get(ownerId)?.ms ?? 0) > EVALUATION_LIMIT_MS;
  }

  /**
   * True if the owner's time for services is used up. Throws PassTooLong if the pass holds more than one row of the
   * owner: with fewer rows the same work fits.
   */
  isOver(ownerId: number): boolean {
    const rows = this.rowsOf.get(ownerId) ?? 0;
    const spentMs = this.spent.get(ownerId)?.ms ?? 0;
    if (rows === 0) return spentMs > (this.guestsMs > GUESTS_LIMIT_MS ? 0 : GUEST_LIMIT_MS);
    if (spentMs <= OWNER_LIMIT_MS) return false;
    if (rows > 1) throw new PassTooLong(`the rows of user ${ownerId} take more than ${OWNER_LIMIT_MS} ms`);
    return true;
  }

  /** Charges each owner the time they have used, even after a pass that was too long. */
  charge({ isDone }: { isDone: boolean }): void {
    for (const [ownerId, { ms, rows }] of this.spent) {
      this.shares.charge(ownerId, ms, isDone || ms <= OWNER_LIMIT_MS ? rows : 1);
    }
  }
}

/** Batch sizes, in points of all owners together. */
const NARROW = 2_500;
const WIDE = 10_000;

/**
 * Maximum number of points that a pass of this process takes. A point costs less in a large batch, because a sensor's
 * state is written once per pass. But a point that is read and not handled has to be read again. So the batch size
 * doubles while more points wait and each pass handles everything it reads, and drops to the minimum as soon as one
 * pass does not.
 */
export class BatchSize {
  private most = NARROW;

  get points(): number {
    return this.most;
  }

  /** Call after a pass. `isCut`: it left points that it had read. `hasMore`: more points wait. */
  learn({ isCut, hasMore }: { isCut: boolean; hasMore: boolean }): void {
    if (isCut) this.most = NARROW;
    else if (hasMore) this.most = Math.min(WIDE, 2 * this.most);
  }
}

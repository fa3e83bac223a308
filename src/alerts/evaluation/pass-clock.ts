import { setImmediate as nextTick } from 'node:timers/promises';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';

/**
 * Limits of an owner in a pass, in ms: evaluation, and all with services. A single row that takes longer is not stopped
 * by services.
 */
const EVALUATION_LIMIT_MS = 300;
const OWNER_LIMIT_MS = 1_000;
/** Afterwards, the remaining sensors are left to the next pass. */
const PASS_LIMIT_MS = 500;
/** Services of other owners may take this from an owner's pass, for each of them. */
const GUEST_LIMIT_MS = 100;
/** Limit of all these services. Then each owner who has not begun gets one slice. */
const GUESTS_LIMIT_MS = 500;
const YIELD_AFTER_MS = 20;
/** Price of bytes that the transaction reads or writes, in bytes per ms: others of the pass wait for them. */
const BYTES_PER_MS = 50_000;
/** Steps are measured after this time. A quicker slice of points doubles the next one. */
export const QUICK_MS = 5;

/** The pass is rolled back and retried with fewer rows of the owner. */
export class PassTooLong extends Error {}

/** Measures the computing time of owners, and ends a pass that takes too long. */
export class PassClock {
  private readonly spent = new Map<number, { ms: number; rows: number }>();
  private spentMs = 0;
  private guestsMs = 0;
  private yieldedAt: number;
  private measuredAt: number;

  constructor(
    private readonly shares: FairShareScheduler,
    private readonly rowsOf: ReadonlyMap<number, number>,
  ) {
    this.yieldedAt = shares.now();
    this.measuredAt = this.yieldedAt;
  }

  get isYieldDue(): boolean {
    return this.measuredAt - this.yieldedAt > YIELD_AFTER_MS;
  }

  async yield(): Promise<void> {
    await nextTick();
    this.yieldedAt = this.shares.now();
  }

  get isFull(): boolean {
    return this.spentMs > PASS_LIMIT_MS;
  }

  /** Evaluates `rows` of the owner's rows, or does other work. Returns the ms. */
  measure(ownerId: number, work: () => void, rows = 0): number {
    const started = this.shares.now();
    work();
    const ended = this.shares.now();
    this.spend(ownerId, ended - started, rows);
    this.measuredAt = ended;
    return ended - started;
  }

  /** Large values of an owner, read or written by the transaction. */
  chargeBytes(ownerId: number, bytes: number): void {
    this.spend(ownerId, bytes / BYTES_PER_MS);
  }

  /** Runs steps for some ms. Returns true if all are done. */
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

  /** Runs steps with pauses. Returns false if `mustStop` ended them. */
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

  /** True if the owner's rows take too long, and fewer would fit. */
  isCut(ownerId: number): boolean {
    return (this.rowsOf.get(ownerId) ?? 0) > 1 && (this.spent.get(ownerId)?.ms ?? 0) > EVALUATION_LIMIT_MS;
  }

  /** True if the owner's time for services is used up. Throws PassTooLong if fewer rows of the owner would fit. */
  isOver(ownerId: number): boolean {
    if (!this.hasUsedUp(ownerId)) return false;
    const rows = this.rowsOf.get(ownerId) ?? 0;
    if (rows > 1) throw new PassTooLong(`the rows of user ${ownerId} take more than ${OWNER_LIMIT_MS} ms`);
    return true;
  }

  /** Owners whose services do not compute any more in this pass. */
  get overOwners(): number[] {
    return [...this.spent.keys()].filter((ownerId) => this.hasUsedUp(ownerId));
  }

  private hasUsedUp(ownerId: number): boolean {
    const spentMs = this.spent.get(ownerId)?.ms ?? 0;
    if (this.rowsOf.get(ownerId)) return spentMs > OWNER_LIMIT_MS;
    return spentMs > (this.guestsMs > GUESTS_LIMIT_MS ? 0 : GUEST_LIMIT_MS);
  }

  private spend(ownerId: number, ms: number, rows = 0): void {
    const before = this.spent.get(ownerId);
    this.spent.set(ownerId, { ms: (before?.ms ?? 0) + ms, rows: (before?.rows ?? 0) + rows });
    this.spentMs += ms;
    if (!this.rowsOf.get(ownerId)) this.guestsMs += ms;
  }

  /** Charges owners, even after a pass that was too long. */
  charge({ isDone }: { isDone: boolean }): void {
    for (const [ownerId, { ms, rows }] of this.spent) {
      this.shares.charge(ownerId, ms, isDone || ms <= OWNER_LIMIT_MS ? rows : 1);
    }
  }
}

/** Points of all owners together. */
const NARROW = 2_500;
const WIDE = 10_000;

/**
 * A large batch is cheaper, because the state of a sensor is written once per pass; but a point that is read and not
 * handled is read again. So the size doubles while more points wait and passes handle all they read, and drops to the
 * minimum when one does not.
 */
export class BatchSize {
  private most = NARROW;

  get points(): number {
    return this.most;
  }

  /** `isCut`: the pass left points that it had read. */
  learn({ isCut, hasMore }: { isCut: boolean; hasMore: boolean }): void {
    if (isCut) this.most = NARROW;
    else if (hasMore) this.most = Math.min(WIDE, 2 * this.most);
  }
}

import { setImmediate as nextTick } from 'node:timers/promises';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';

/** What the rows of one owner may take in one pass, in ms: evaluated, and computed by services, too. Services do not end a single row that takes longer. */
const EVALUATION_LIMIT_MS = 300;
export const OWNER_LIMIT_MS = 1_000;
/** After this time the sensors that no actor has had yet are left to the next pass. */
const TURN_LIMIT_MS = 500;
/** What others' services may take of an owner's pass, in ms for each of these others. */
const GUEST_LIMIT_MS = 100;
/** Computing goes on for this long before other work of the process has its pass. */
const YIELD_AFTER_MS = 20;

/** The rows of an owner take too long for one pass: it is rolled back, and run again with fewer of them. */
export class PassTooLong extends Error {}

/** Measures what each owner computes in one pass, and ends what takes too long. */
export class PassClock {
  private readonly spent = new Map<number, { ms: number; rows: number }>();
  private spentMs = 0;
  private yieldedAt: number;
  private measuredAt: number;

  constructor(
    private readonly shares: FairShareScheduler,
    /** How many rows of each owner the pass has in hand. */
    private readonly rowsOf: ReadonlyMap<number, number>,
  ) {
    this.yieldedAt = shares.now();
    this.measuredAt = this.yieldedAt;
  }

  /** Whether other work of the process should have its pass now. */
  get isYieldDue(): boolean {
    return this.measuredAt - this.yieldedAt > YIELD_AFTER_MS;
  }

  /** Lets other work of the process run. */
  async yield(): Promise<void> {
    await nextTick();
    this.yieldedAt = this.shares.now();
  }

  /** Whether it has computed for so long that the rest is left to the next pass. */
  get isFull(): boolean {
    return this.spentMs > TURN_LIMIT_MS;
  }

  /** Does work for an owner: evaluates so many of their rows, or none. Returns how many ms it took. */
  measure(ownerId: number, work: () => void, rows = 0): number {
    const started = this.shares.now();
    work();
    const ended = this.shares.now();
    const ms = ended - started;
    const before = this.spent.get(ownerId);
    this.spent.set(ownerId, { ms: (before?.ms ?? 0) + ms, rows: (before?.rows ?? 0) + rows });
    this.spentMs += ms;
    this.measuredAt = ended;
    return ms;
  }

  /** Whether the evaluation of the owner's rows takes too long, and would fit with fewer of them. */
  isCut(ownerId: number): boolean {
    return (this.rowsOf.get(ownerId) ?? 0) > 1 && (this.spent.get(ownerId)?.ms ?? 0) > EVALUATION_LIMIT_MS;
  }

  /**
   * Whether the owner's time for services is over. Of an owner with more than one row in hand it throws PassTooLong instead: with
   * fewer rows the same work fits.
   */
  isOver(ownerId: number): boolean {
    const rows = this.rowsOf.get(ownerId) ?? 0;
    const spentMs = this.spent.get(ownerId)?.ms ?? 0;
    if (rows === 0) return spentMs > GUEST_LIMIT_MS;
    if (spentMs <= OWNER_LIMIT_MS) return false;
    if (rows > 1) throw new PassTooLong(`the rows of user ${ownerId} take more than ${OWNER_LIMIT_MS} ms`);
    return true;
  }

  /** Charges everybody what they have spent; also after a pass that was too long. */
  charge({ isDone }: { isDone: boolean }): void {
    for (const [ownerId, { ms, rows }] of this.spent) {
      this.shares.charge(ownerId, ms, isDone || ms <= OWNER_LIMIT_MS ? rows : 1);
    }
  }
}

/** Half-life of recorded usage. */
const HALF_LIFE_MS = 2_000;
/** Maximum computing time of an owner in one pass, in ms: this, minus their recent usage. */
const FULL_SLICE_MS = 200;
const SHORTEST_SLICE_MS = 20;
/** Minimum slice of an owner while no other waits: in a large batch each point costs less. */
const SLICE_ALONE_MS = 100;
/** An owner with this much recent usage waits. It corresponds to keeping about half of a processor busy. */
const DEBT_LIMIT_MS = 1_500;
/** Minimum estimated cost of a row. */
const CHEAPEST_ROW_MS = 0.002;
/**
 * Number of rows for an owner whose rows have not been measured yet, and their assumed usage: others need not wait for
 * an unknown cost.
 */
const FIRST_ROWS = 20;
const FIRST_USED_MS = 20;
const FIRST_ROW_MS = 0.02;
/** Weight of the latest measurement against all earlier ones. */
const WEIGHT_OF_LATEST = 0.5;
const MAX_OWNERS = 10_000;

interface Usage {
  usedMs: number;
  atMs: number;
  msPerRow: number;
}

/**
 * Computing time of this process by owner. Work is charged when it is done, and the next pass takes only as many rows
 * of an owner as they can afford: an owner who keeps the process busy gets short slices and then waits, so that others
 * are served soon.
 */
export class FairShareScheduler {
  private readonly usage = new Map<number, Usage>();

  /** `now` is a stopwatch in ms. One that stands still switches the scheduler off. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /**
   * How many rows of this owner a pass may take; 0 while they have to wait. `isAlone`: no other owner's rows wait for
   * that pass.
   */
  rowsFor(ownerId: number, { isAlone = false } = {}): number {
    const usage = this.usage.get(ownerId);
    if (!usage) return FIRST_ROWS;
    const usedMs = this.usedMs(ownerId);
    if (usedMs > DEBT_LIMIT_MS) return 0;
    const sliceMs = Math.max(isAlone ? SLICE_ALONE_MS : SHORTEST_SLICE_MS, FULL_SLICE_MS - usedMs);
    return Math.max(1, Math.floor(sliceMs / usage.msPerRow));
  }

  /** Charges the cost of some rows of an owner. */
  charge(ownerId: number, ms: number, rows: number): void {
    const msPerRow = Math.max(ms / Math.max(rows, 1), CHEAPEST_ROW_MS);
    const before = this.usage.get(ownerId)?.msPerRow ?? msPerRow;
    // A row that turns out expensive counts at once. Cheaper rows lower the estimate gradually.
    const believed = Math.max(msPerRow, before + (msPerRow - before) * WEIGHT_OF_LATEST);
    const usedMs = (this.usage.has(ownerId) ? this.usedMs(ownerId) : 0) + ms;
    this.usage.delete(ownerId); // the latest goes to the end
    this.usage.set(ownerId, { usedMs, atMs: this.now(), msPerRow: believed });
    const [oldest] = this.usage.keys();
    if (this.usage.size > MAX_OWNERS && oldest !== undefined) this.usage.delete(oldest);
  }

  /** Recent usage of the owner, in ms, after so many more rows: the finish tag of weighted fair queueing. */
  usedMsAfter(ownerId: number, rows: number): number {
    return this.usedMs(ownerId) + rows * (this.usage.get(ownerId)?.msPerRow ?? FIRST_ROW_MS);
  }

  /** Recent usage of the owner, in ms. */
  usedMs(ownerId: number): number {
    const usage = this.usage.get(ownerId);
    return usage ? usage.usedMs * 0.5 ** ((this.now() - usage.atMs) / HALF_LIFE_MS) : FIRST_USED_MS;
  }
}

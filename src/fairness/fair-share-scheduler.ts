/** After this time half of what an owner has used counts no more. */
const HALF_LIFE_MS = 2_000;
/** What an owner may compute in one pass, in ms: this much, less what they have used lately. */
const FULL_SLICE_MS = 200;
const SHORTEST_SLICE_MS = 20;
/** At least this much for an owner next to whom nobody waits: in a wide pass each point costs less. */
const SLICE_ALONE_MS = 100;
/** An owner who has used this much lately waits: about half of a processor that they keep busy. */
const DEBT_LIMIT_MS = 1_500;
/** What a row is taken to cost at least. */
const CHEAPEST_ROW_MS = 0.002;
/** An owner whose rows have not been measured yet gets so many, and counts like one who has used this much: others need not wait for what nobody knows. */
const FIRST_ROWS = 20;
const FIRST_USED_MS = 20;
const FIRST_ROW_MS = 0.02;
/** How much the latest measurement counts against all before. */
const WEIGHT_OF_LATEST = 0.5;
const MAX_OWNERS = 10_000;

interface Usage {
  usedMs: number;
  atMs: number;
  msPerRow: number;
}

/**
 * Computing time of this process by owner. Work is charged when it is done, and the next pass takes only as many rows of an
 * owner as they can afford: who keeps the process busy gets short slices and then waits, so that others are served soon.
 */
export class FairShareScheduler {
  private readonly usage = new Map<number, Usage>();

  /** `now` is a stopwatch in ms; one that stands still switches all of it off. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** How many rows of this owner a pass may take: 0 while they have to wait. `isAlone`: no other owner's rows wait for that pass. */
  rowsFor(ownerId: number, { isAlone = false } = {}): number {
    const usage = this.usage.get(ownerId);
    if (!usage) return FIRST_ROWS;
    const usedMs = this.usedMs(ownerId);
    if (usedMs > DEBT_LIMIT_MS) return 0;
    const sliceMs = Math.max(isAlone ? SLICE_ALONE_MS : SHORTEST_SLICE_MS, FULL_SLICE_MS - usedMs);
    return Math.max(1, Math.floor(sliceMs / usage.msPerRow));
  }

  /** Charges what some rows of an owner have cost. */
  charge(ownerId: number, ms: number, rows: number): void {
    const msPerRow = Math.max(ms / Math.max(rows, 1), CHEAPEST_ROW_MS);
    const before = this.usage.get(ownerId)?.msPerRow ?? msPerRow;
    // A row that passes out expensive counts at once; that rows have become cheap again is believed step by step.
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

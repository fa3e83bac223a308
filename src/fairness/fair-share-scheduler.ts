import { LruCache } from '../platform/lru-cache';
import {
  CHEAPEST_ROW_MS,
  DEBT_LIMIT_MS,
  FIRST_ROW_MS,
  FIRST_ROWS,
  FIRST_USED_MS,
  FULL_SLICE_MS,
  HALF_LIFE_MS,
  MEASURED_OWNERS,
  SHORTEST_SLICE_MS,
  SLICE_ALONE_MS,
  WEIGHT_OF_LATEST,
} from './knobs';

interface Usage {
  usedMs: number;
  atMs: number;
  msPerRow: number;
}

/** Owners who keep the process busy get short slices and then wait, so that others are served soon. */
export class FairShareScheduler {
  private readonly usage = new LruCache<number, Usage>(MEASURED_OWNERS);

  constructor(readonly now: () => number = () => performance.now()) {}

  /** Rows in a pass; 0 while the owner has to wait. `isAlone`: no other owner's rows wait. */
  rowsFor(ownerId: number, { isAlone = false } = {}): number {
    const usage = this.usage.find(ownerId);
    if (!usage) return FIRST_ROWS;
    const usedMs = this.usedMs(ownerId);
    if (usedMs > DEBT_LIMIT_MS) return 0;
    const sliceMs = Math.max(isAlone ? SLICE_ALONE_MS : SHORTEST_SLICE_MS, FULL_SLICE_MS - usedMs);
    return Math.max(1, Math.floor(sliceMs / usage.msPerRow));
  }

  /** Charges the cost of rows. */
  charge(ownerId: number, ms: number, rows: number): void {
    const msPerRow = Math.max(ms / Math.max(rows, 1), CHEAPEST_ROW_MS);
    const known = this.usage.find(ownerId);
    const before = known?.msPerRow ?? msPerRow;
    // An expensive row counts at once; cheaper rows lower the estimate gradually.
    const believed = Math.max(msPerRow, before + (msPerRow - before) * WEIGHT_OF_LATEST);
    const usedMs = (known ? this.usedMs(ownerId) : 0) + ms;
    this.usage.set(ownerId, { usedMs, atMs: this.now(), msPerRow: believed });
  }

  chargeTime(ownerId: number, ms: number): void {
    const known = this.usage.find(ownerId);
    const usedMs = (known ? this.usedMs(ownerId) : 0) + ms;
    this.usage.set(ownerId, { usedMs, atMs: this.now(), msPerRow: known?.msPerRow ?? FULL_SLICE_MS / FIRST_ROWS });
  }

  mustWait(ownerId: number): boolean {
    return this.usage.find(ownerId) !== undefined && this.usedMs(ownerId) > DEBT_LIMIT_MS;
  }

  /** The finish tag of weighted fair queueing: recent usage in ms, after these rows. */
  usedMsAfter(ownerId: number, rows: number): number {
    return this.usedMs(ownerId) + rows * (this.usage.find(ownerId)?.msPerRow ?? FIRST_ROW_MS);
  }

  /** Work of owners who have used the least time comes first. */
  leastUsedFirst<T extends { ownerId: number }>(work: readonly T[]): T[] {
    const used = new Map(work.map(({ ownerId }) => [ownerId, this.usedMs(ownerId)]));
    return [...work].sort((a, b) => (used.get(a.ownerId) ?? 0) - (used.get(b.ownerId) ?? 0));
  }

  usedMs(ownerId: number): number {
    const usage = this.usage.find(ownerId);
    return usage ? usage.usedMs * 0.5 ** ((this.now() - usage.atMs) / HALF_LIFE_MS) : FIRST_USED_MS;
  }
}

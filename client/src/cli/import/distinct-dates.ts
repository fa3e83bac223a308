/** Dates that are kept at once, over all series: 128 MB. */
const MAX_KEPT = 16_000_000;

/** How many dates may still be kept. */
export class DateBudget {
  constructor(public left = MAX_KEPT) {}
}

/**
 * Counts the different dates of a series. Exact for dates in order, whatever their number; for others only while the
 * budget lasts.
 */
export class DistinctDates {
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  private inOrder = 0;
  private isOrdered = true;
  private kept: Float64Array | undefined = new Float64Array(64);
  private size = 0;

  constructor(private readonly budget: DateBudget) {}

  /** Continues the count of an earlier run, whose dates were in order. */
  continueFrom(count: number, firstMs: number, lastMs: number): void {
    this.inOrder = count;
    this.firstMs = firstMs;
    this.lastMs = lastMs;
    this.drop();
  }

  add(dateMs: number): void {
    if (dateMs < this.firstMs) this.firstMs = dateMs;
    if (dateMs > this.lastMs) {
      this.lastMs = dateMs;
      this.inOrder += 1;
    } else if (dateMs < this.lastMs) this.isOrdered = false;
    this.keep(dateMs);
  }

  /** Undefined if there are too many dates that are not in order. */
  count(): number | undefined {
    if (this.isOrdered) return this.inOrder;
    if (!this.kept) return undefined;
    const sorted = this.kept.slice(0, this.size).sort();
    let count = 0;
    for (let at = 0; at < sorted.length; at += 1) if (at === 0 || sorted[at] !== sorted[at - 1]) count += 1;
    return count;
  }

  /** Undefined if they are not in order. Costs nothing. */
  countInOrder(): number | undefined {
    return this.isOrdered ? this.inOrder : undefined;
  }

  /** The number is at least this, whatever the order. */
  atLeast(): number {
    return this.inOrder;
  }

  private keep(dateMs: number): void {
    if (!this.kept) return;
    if (this.budget.left <= 0) {
      this.drop();
      return;
    }
    if (this.size === this.kept.length) {
      const larger = new Float64Array(this.size * 2);
      larger.set(this.kept);
      this.kept = larger;
    }
    this.kept[this.size] = dateMs;
    this.size += 1;
    this.budget.left -= 1;
  }

  private drop(): void {
    this.budget.left += this.size;
    this.kept = undefined;
    this.size = 0;
  }
}

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

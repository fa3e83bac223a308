/** Points of all owners together. */
const NARROW = 2_500;
const WIDE = 10_000;

/**
 * How many points a pass of this process takes at most. A point of a wide pass costs less, since a sensor's state is written once a pass;
 * but points that are read and then left have to be read again. So passes become wider while more waits and they handle all that
 * they read, and narrow at once when one does not.
 */
export class BatchSize {
  private most = NARROW;

  get points(): number {
    return this.most;
  }

  /** After a pass: `isCut` when it left points that it had read, `hasMore` when more waits. */
  learn({ isCut, hasMore }: { isCut: boolean; hasMore: boolean }): void {
    if (isCut) this.most = NARROW;
    else if (hasMore) this.most = Math.min(WIDE, 2 * this.most);
  }
}

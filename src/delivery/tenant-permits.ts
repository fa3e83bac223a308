/** How many attempts a user may have under way for each place that is still free. */
const PER_FREE_PLACE = 8;

/**
 * Shares what one process can send at the same time between users. A user may have eight times as many attempts under way as
 * places are still free: one alone uses eight ninths of them, a second eight ninths of the rest, and the last place is only
 * for users who have none. After
 * A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998).
 */
export class TenantPermits {
  private readonly underWay = new Map<number, number>();
  private total = 0;
  /** Users who were refused a place since one of theirs was released. */
  private readonly refused = new Set<number>();

  constructor(private readonly places: number) {}

  /** Takes a place for an attempt of this user; false when the user has their part. */
  take(ownerId: number): boolean {
    const own = this.underWay.get(ownerId) ?? 0;
    const free = this.places - this.total;
    if (own > 0 && (free <= 1 || own >= PER_FREE_PLACE * free)) {
      this.refused.add(ownerId);
      return false;
    }
    this.underWay.set(ownerId, own + 1);
    this.total += 1;
    return true;
  }

  /** Frees a place. Whether the user was refused one meanwhile: then a delivery of theirs waits for it. */
  release(ownerId: number): boolean {
    const left = (this.underWay.get(ownerId) ?? 0) - 1;
    this.total -= 1;
    if (left > 0) this.underWay.set(ownerId, left);
    else this.underWay.delete(ownerId);
    return left > 0 ? this.refused.has(ownerId) : this.refused.delete(ownerId);
  }
}

/** Where deliveries wait whose owner has no place: as if the user were a receiver. */
export function laneOf(ownerId: number): string {
  return `user:${ownerId}`;
}

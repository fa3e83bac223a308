/** Number of concurrent attempts of a user allowed per free permit. */
const PER_FREE_PLACE = 8;

/**
 * Shares the sending capacity of one process between users. A user may have eight times as many running attempts as
 * permits are still free: a single user gets eight ninths of all permits, a second one eight ninths of the rest, and
 * the last permit is reserved for users who have none. After A. K. Choudhury and E. L. Hahne, "Dynamic queue length
 * thresholds for shared-memory packet switches" (1998).
 */
export class TenantPermits {
  private readonly underWay = new Map<number, number>();
  private total = 0;
  /** Users who were refused a permit since one of theirs was released. */
  private readonly refused = new Set<number>();

  constructor(private readonly places: number) {}

  /** Takes a permit for an attempt of this user. Returns false if the user has used their share. */
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

  /** Frees a permit. Returns true if the user was refused one meanwhile: then one of their deliveries waits for it. */
  release(ownerId: number): boolean {
    const left = (this.underWay.get(ownerId) ?? 0) - 1;
    this.total -= 1;
    if (left > 0) this.underWay.set(ownerId, left);
    else this.underWay.delete(ownerId);
    return left > 0 ? this.refused.has(ownerId) : this.refused.delete(ownerId);
  }
}

/** The queue of throttled deliveries whose owner has no permit: as if the user were a receiver. */
export function queueOfTenant(ownerId: number): string {
  return `user:${ownerId}`;
}

/** Bytes that may be held at the same time: by one user, and by all users of this process. */
export interface ByteLimits {
  ofUser: number;
  ofAll: number;
  /** The last so many of all are for users who hold at most so many: those who hold much do not shut the others out. */
  reserve?: { bytes: number; upTo: number };
}

/** What to refuse more than that with. */
export interface ByteRefusals {
  ofUser: () => Error;
  ofAll: () => Error;
}

/** The memory that requests hold, charged to their users before it is used. */
export class ByteBudget {
  private held = 0;
  private readonly users = new Map<number, number>();

  constructor(
    private readonly limits: ByteLimits,
    private readonly refusals: ByteRefusals,
  ) {}

  /** Charges a user; throws the refusal when it is more than their part, or when all together hold too much. */
  charge(userId: number, bytes: number): void {
    const refusal = this.refusalOf(userId, bytes);
    if (refusal) throw refusal();
    this.count(userId, bytes);
  }

  /**
   * Throws the refusal when the user's part is used up; that of all together is refused only to those who hold more than a little of it, so that
   * others cannot shut out a user who holds nothing.
   */
  requireOpen(userId: number): void {
    const { ofUser, ofAll, reserve } = this.limits;
    const own = this.users.get(userId) ?? 0;
    if (own >= ofUser) throw this.refusals.ofUser();
    if (this.held >= ofAll && own > (reserve?.upTo ?? -1)) throw this.refusals.ofAll();
  }

  /** Whether a user may hold so many more. */
  hasRoom(userId: number, bytes: number): boolean {
    return this.refusalOf(userId, bytes) === undefined;
  }

  /** Charges a user for what is held already: it is never refused. */
  count(userId: number, bytes: number): void {
    this.users.set(userId, (this.users.get(userId) ?? 0) + bytes);
    this.held += bytes;
  }

  release(userId: number, bytes: number): void {
    this.held -= bytes;
    const ofUser = (this.users.get(userId) ?? 0) - bytes;
    if (ofUser > 0) this.users.set(userId, ofUser);
    else this.users.delete(userId);
  }

  private refusalOf(userId: number, bytes: number): (() => Error) | undefined {
    const { ofUser, ofAll, reserve } = this.limits;
    const own = (this.users.get(userId) ?? 0) + bytes;
    if (own > ofUser) return this.refusals.ofUser;
    const reserved = reserve && own > reserve.upTo ? reserve.bytes : 0;
    return this.held + bytes > ofAll - reserved ? this.refusals.ofAll : undefined;
  }
}

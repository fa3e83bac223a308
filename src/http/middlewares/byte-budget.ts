/** Bytes that may be held at the same time: by one user, and by all users of this process. */
export interface ByteLimits {
  ofUser: number;
  ofAll: number;
}

/** What to refuse more than that with. */
export interface ByteRefusals {
  ofUser: () => Error;
  ofAll: () => Error;
}

/** The memory that large bodies or responses hold, charged to their users before it is used. */
export class ByteBudget {
  private held = 0;
  private readonly users = new Map<number, number>();

  constructor(
    private readonly limits: ByteLimits,
    private readonly refusals: ByteRefusals,
  ) {}

  /** Charges a user; throws the refusal when it is more than their part, or when all together hold too much. */
  charge(userId: number, bytes: number): void {
    const ofUser = (this.users.get(userId) ?? 0) + bytes;
    if (ofUser > this.limits.ofUser) throw this.refusals.ofUser();
    if (this.held + bytes > this.limits.ofAll) throw this.refusals.ofAll();
    this.users.set(userId, ofUser);
    this.held += bytes;
  }

  release(userId: number, bytes: number): void {
    this.held -= bytes;
    const ofUser = (this.users.get(userId) ?? 0) - bytes;
    if (ofUser > 0) this.users.set(userId, ofUser);
    else this.users.delete(userId);
  }
}

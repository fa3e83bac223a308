import { TooMany, Unavailable } from '../platform/errors';
import { ANSWER_BYTES, WORK_BYTES } from './knobs';

/** Maximum number of bytes held at the same time: by one user, and by all users of this process. */
export interface ByteLimits {
  ofUser: number;
  ofAll: number;
  /**
   * The last `bytes` of `ofAll` are reserved for users who hold at most `upTo` bytes, so that large holders do not shut
   * the others out.
   */
  reserve?: { bytes: number; upTo: number };
}

/** The errors that refuse anything beyond that. */
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

  /** Charges a user. Throws the refusal if this exceeds the user's limit, or if all users together hold too much. */
  charge(userId: number, bytes: number): void {
    const refusal = this.refusalOf(userId, bytes);
    if (refusal) throw refusal();
    this.count(userId, bytes);
  }

  /**
   * Throws the refusal if the user's limit is used up. The global limit applies only to users who hold more than
   * `reserve.upTo`, so that others cannot shut out a user who holds nothing.
   */
  requireOpen(userId: number): void {
    const { ofUser, ofAll, reserve } = this.limits;
    const own = this.users.get(userId) ?? 0;
    if (own >= ofUser) throw this.refusals.ofUser();
    if (this.held >= ofAll && own > (reserve?.upTo ?? -1)) throw this.refusals.ofAll();
  }

  /** True if a user may hold this many more bytes. */
  hasRoom(userId: number, bytes: number): boolean {
    return this.refusalOf(userId, bytes) === undefined;
  }

  /** Charges a user for bytes that are already held. Never refused. */
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

const ANSWER_REFUSALS = {
  ofUser: () => new TooMany('too many of your large responses have not been taken yet', 1),
  ofAll: () => new Unavailable('too many large responses are being sent at the moment', 1),
};

/** The budget of a process for all data that it sends. */
export function openAnswerBudget(): ByteBudget {
  return new ByteBudget(ANSWER_BYTES, ANSWER_REFUSALS);
}

const WORK_REFUSALS = {
  ofUser: () => new TooMany('your requests hold too much data at the moment: ask for fewer sensors at once', 1),
  ofAll: () => new Unavailable('the work of all users holds too much data at the moment; try again later', 1),
};

/** The budget of a process for data that work in progress holds and that is not sent as it is. */
export function openWorkBudget(): ByteBudget {
  return new ByteBudget(WORK_BYTES, WORK_REFUSALS);
}

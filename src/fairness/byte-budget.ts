import { TooMany, Unavailable } from '../platform/errors';
import { ANSWER_BYTES, WORK_BYTES } from './knobs';

export interface ByteLimits {
  ofUser: number;
  ofAll: number;
  /** The last `bytes` of `ofAll` are for users with at most `upTo` bytes: large holders do not shut the others out. */
  reserve?: { bytes: number; upTo: number };
}

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

  /** Throws the refusal beyond the limit of the user or of all. */
  charge(userId: number, bytes: number): void {
    const refusal = this.refusalOf(userId, bytes);
    if (refusal) throw refusal();
    this.count(userId, bytes);
  }

  /** The limit of all counts only for users above `reserve.upTo`. */
  requireOpen(userId: number): void {
    const { ofUser, ofAll, reserve } = this.limits;
    const own = this.users.get(userId) ?? 0;
    if (own >= ofUser) throw this.refusals.ofUser();
    if (this.held >= ofAll && own > (reserve?.upTo ?? -1)) throw this.refusals.ofAll();
  }

  hasRoom(userId: number, bytes: number): boolean {
    return this.refusalOf(userId, bytes) === undefined;
  }

  /** Charges bytes that are already held. Never refused. */
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

/** One per process, for all data that it sends. */
export function openAnswerBudget(): ByteBudget {
  return new ByteBudget(ANSWER_BYTES, ANSWER_REFUSALS);
}

const WORK_REFUSALS = {
  ofUser: () => new TooMany('your requests hold too much data at the moment: ask for fewer sensors at once', 1),
  ofAll: () => new Unavailable('the work of all users holds too much data at the moment; try again later', 1),
};

/** One per process, for data of work in progress that is not sent as it is. */
export function openWorkBudget(): ByteBudget {
  return new ByteBudget(WORK_BYTES, WORK_REFUSALS);
}

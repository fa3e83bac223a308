import type { ByteBudget } from './byte-budget';
import type { FairShareScheduler } from './fair-share-scheduler';
import { PacedWork } from './paced-work';

/** What the work of all owners in a process holds, and the time that it takes. */
export interface WorkLimits {
  workBudget: ByteBudget;
  shares: FairShareScheduler;
}

/** The work of one request: the bytes that it holds and its computing time, charged to its owner. */
export class WorkAccount extends PacedWork {
  private readonly budget: ByteBudget;

  constructor(
    { workBudget, shares }: WorkLimits,
    private readonly userId: number,
  ) {
    super(shares, userId);
    this.budget = workBudget;
  }

  /** Throws the refusal of the budget if the owner, or all owners, hold too much. */
  charge(bytes: number): void {
    this.budget.charge(this.userId, bytes);
  }

  hasRoom(bytes: number): boolean {
    return this.budget.hasRoom(this.userId, bytes);
  }

  release(bytes: number): void {
    this.budget.release(this.userId, bytes);
  }
}

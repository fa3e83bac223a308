import type { ByteBudget } from './byte-budget';
import type { FairShareScheduler } from './fair-share-scheduler';
import { PacedWork } from './paced-work';

export interface WorkLimits {
  workBudget: ByteBudget;
  shares: FairShareScheduler;
}

/** Bytes and computing time of one request, charged to its owner. */
export class WorkAccount extends PacedWork {
  private readonly budget: ByteBudget;

  constructor(
    { workBudget, shares }: WorkLimits,
    private readonly userId: number,
  ) {
    super(shares, userId);
    this.budget = workBudget;
  }

  /** Throws the refusal of the budget. */
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

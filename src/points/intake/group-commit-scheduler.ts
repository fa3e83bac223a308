import { type AddOutcome, FairQueue, type Queued } from '../../fairness/fair-queue';
import { COMMITS, POINTS_PER_COMMIT, POINTS_PER_USER, REQUESTS_PER_USER, WAITING_BYTES } from './knobs';

/**
 * Decides which waiting requests are stored together, and when: a few commits at a time, of a limited number of points,
 * and one at a time of each user. So what a user sends during a commit is stored together by the next one, and a commit
 * is left for the next user (decision 75).
 */
export class GroupCommitScheduler<T extends Queued<number>> {
  private readonly queue = new FairQueue<number, T>({
    perTenant: REQUESTS_PER_USER,
    sizePerTenant: POINTS_PER_USER,
    weight: WAITING_BYTES,
  });
  private running = 0;
  /** The users who have a commit. */
  private readonly busy = new Set<number>();

  constructor(
    /** Stores a group and answers its requests. Never rejects. */
    private readonly commit: (group: T[]) => Promise<void>,
    /** True if nothing of this user may be stored now. */
    private readonly isHeld: (userId: number) => boolean,
  ) {}

  /** Number of waiting points. */
  get points(): number {
    return this.queue.size;
  }

  /** Adds a request unless too many wait. Call `next` afterwards. */
  add(request: T): AddOutcome {
    return this.queue.add(request);
  }

  /** Starts every commit that may start now. Call it when a request is added, and when a user is no longer held. */
  next(): void {
    while (this.running < COMMITS) {
      const group = this.queue.take(POINTS_PER_COMMIT, (userId) => !this.busy.has(userId) && !this.isHeld(userId));
      if (group.length === 0) return;
      void this.run(group);
    }
  }

  private async run(group: T[]): Promise<void> {
    const users = new Set(group.map(({ tenant }) => tenant));
    this.running += 1;
    for (const userId of users) this.busy.add(userId);
    await this.commit(group).finally(() => {
      this.running -= 1;
      for (const userId of users) this.busy.delete(userId);
    });
    this.next();
  }
}

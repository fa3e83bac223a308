import { type AddOutcome, FairQueue, type Queued } from '../../fairness/fair-queue';
import { COMMITS, POINTS_PER_COMMIT, POINTS_PER_USER, REQUESTS_PER_USER, WAITING_BYTES } from './knobs';

/**
 * Starts a few commits of limited size, one of each user. So the next one stores together what a user sends during a
 * commit (decision 75).
 */
export class GroupCommitScheduler<T extends Queued<number>> {
  private readonly queue = new FairQueue<number, T>({
    perTenant: REQUESTS_PER_USER,
    sizePerTenant: POINTS_PER_USER,
    weight: WAITING_BYTES,
  });
  private running = 0;
  private readonly busy = new Set<number>();

  constructor(
    /** Must not reject. */
    private readonly commit: (group: T[]) => Promise<void>,
    private readonly isHeld: (userId: number) => boolean,
  ) {}

  get points(): number {
    return this.queue.size;
  }

  /** Call `next` afterwards. */
  add(request: T): AddOutcome {
    return this.queue.add(request);
  }

  /** Call it when a request is added, and when a user is no longer held. */
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

import { type AddOutcome, FairQueue, type Queued } from '../fairness/fair-queue';
import type { Clock } from '../platform/clock';
import { COMMITS, POINTS_PER_COMMIT, POINTS_PER_USER, REQUESTS_PER_USER, SHARED_MS, WAITING_BYTES } from './knobs';

/**
 * Decides which waiting requests are stored together, and when: a few commits at a time, of a limited number of points.
 * While others upload, a user has one commit at a time. A user alone leaves one commit free for the next user.
 */
export class GroupCommitScheduler<T extends Queued<number>> {
  private readonly queue = new FairQueue<number, T>({
    perTenant: REQUESTS_PER_USER,
    sizePerTenant: POINTS_PER_USER,
    weight: WAITING_BYTES,
  });
  private running = 0;
  private readonly runningOf = new Map<number, number>();
  private latestUser: number | undefined;
  private sharedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
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
      const perUser = this.clock.now() < this.sharedUntilMs ? 1 : COMMITS - 1;
      const group = this.queue.take(
        POINTS_PER_COMMIT,
        (userId) => (this.runningOf.get(userId) ?? 0) < perUser && !this.isHeld(userId),
      );
      if (group.length === 0) return;
      void this.run(group);
    }
  }

  private noteUser(userId: number): void {
    if (this.latestUser !== undefined && userId !== this.latestUser) this.sharedUntilMs = this.clock.now() + SHARED_MS;
    this.latestUser = userId;
  }

  private async run(group: T[]): Promise<void> {
    const users = new Set(group.map(({ tenant }) => tenant));
    for (const userId of users) this.noteUser(userId);
    this.count(users, 1);
    await this.commit(group).finally(() => this.count(users, -1));
    this.next();
  }

  private count(users: ReadonlySet<number>, sign: 1 | -1): void {
    this.running += sign;
    for (const userId of users) {
      const own = (this.runningOf.get(userId) ?? 0) + sign;
      if (own > 0) this.runningOf.set(userId, own);
      else this.runningOf.delete(userId);
    }
  }
}

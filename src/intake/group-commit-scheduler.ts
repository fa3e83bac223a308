import type { Clock } from '../platform/clock';
import { ROWS_PER_STATEMENT } from '../storage/slices';
import type { Sized, UploadQueue } from './upload-queue';

/**
 * Number of waiting points that starts a second commit next to a running one. For 64 connections that send single
 * points this is half of them: some are stored while others are read and answered. With 100, the fixed cost of a commit
 * in points, the processors were idle for a quarter of the time.
 */
const POINTS_FOR_ANOTHER = 32;
/**
 * Above `MUCH` points stored or waiting, users with few points get separate commits next to the others. They neither
 * wait for the large commits nor take part in them.
 */
const MUCH = 400;
const FEW = 50;

/** Maximum number of concurrent commits, and their points. Further requests gather for the next commit meanwhile. */
const ALONE = { atOnce: 2, points: ROWS_PER_STATEMENT };
/**
 * The same for users with more than a few points, while others get separate commits. Small uploads wait for a processor
 * and for the event loop, and a smaller commit releases the event loop sooner.
 */
const SHARED = { atOnce: 1, points: 500 };
/** How long after their latest separate commit users with few points count as active. */
const SHARED_MS = 1_000;

/** Decides which waiting requests are stored together, and when. */
export class GroupCommitScheduler<T extends Sized> {
  private running = 0;
  /** Points of the running commits. */
  private committing = 0;
  private isCommittingFew = false;
  private lastFewMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly waiting: UploadQueue<T>,
    private readonly clock: Pick<Clock, 'now'>,
    /** Stores a group and answers its requests. Never rejects. */
    private readonly commit: (group: T[]) => Promise<void>,
  ) {}

  /** Starts every commit that may start now. Call it when a request is added, and when a held user is released. */
  next(): void {
    this.commitFew();
    if (this.running >= ALONE.atOnce || this.waiting.isEmpty) return;
    if (this.running > 0 && this.waiting.points < POINTS_FOR_ANOTHER) return;
    const { atOnce, points } = this.isShared() ? SHARED : ALONE;
    if (this.running >= atOnce) return;
    this.running += 1;
    void this.commitCounted(this.waiting.take(points)).finally(() => {
      this.running -= 1;
      this.next();
    });
  }

  private commitFew(): void {
    if (this.isCommittingFew || this.committing + this.waiting.points <= MUCH) return;
    const group = this.waiting.takeFew(FEW);
    if (group.length === 0) return;
    this.isCommittingFew = true;
    this.lastFewMs = this.clock.now();
    void this.commitCounted(group).finally(() => {
      this.isCommittingFew = false;
      this.next();
    });
  }

  /** If no user has many points waiting, small commits would only cost more. */
  private isShared(): boolean {
    return this.clock.now() - this.lastFewMs < SHARED_MS && this.waiting.someoneHasMore(FEW);
  }

  private async commitCounted(group: T[]): Promise<void> {
    const points = group.reduce((sum, { size }) => sum + size, 0);
    this.committing += points;
    await this.commit(group).finally(() => {
      this.committing -= points;
    });
  }
}

import type { Clock } from '../platform/clock';
import { ROWS_PER_STATEMENT } from '../storage/slices';
import type { Sized, UploadQueue } from './upload-queue';

/**
 * Fewer points wait for the commit that is under way. Of 64 connections that send single points these are half: some are being stored while
 * others are read and answered. With 100, which is what a commit costs in points, the processors had nothing to do for a quarter of the time.
 */
const POINTS_FOR_ANOTHER = 32;
/**
 * While more points than this are being stored or wait, users with few of them have a commit of their own, next to the others: they
 * wait neither for the commits of those who send much nor in one of these.
 */
const MUCH = 400;
const FEW = 50;

/** Commits of everybody's requests under way at once, and their points: while they run, further requests gather for the next. */
const ALONE = { atOnce: 2, points: ROWS_PER_STATEMENT };
/**
 * Of users with more than a few points waiting, while others have commits of their own: these wait for a processor and for
 * the event loop, which a smaller commit returns sooner.
 */
const SHARED = { atOnce: 1, points: 500 };
/** So long after the latest commit of their own do users with few points count as being there. */
const SHARED_MS = 1_000;

/** Decides which waiting requests are stored together, and when. */
export class GroupCommitScheduler<T extends Sized> {
  private running = 0;
  /** Points of the commits under way. */
  private committing = 0;
  private isCommittingFew = false;
  private lastFewMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly waiting: UploadQueue<T>,
    private readonly clock: Pick<Clock, 'now'>,
    /** Stores a group, and answers its requests; never rejects. */
    private readonly commit: (group: T[]) => Promise<void>,
  ) {}

  /** Begins whatever commit may begin now; to be called when a request waits, and when one may be taken again. */
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

  /** Where nobody has many points waiting, small commits would only be more expensive. */
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

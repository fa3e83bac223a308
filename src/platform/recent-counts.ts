/** The statuses of refused requests: too many of them, or no capacity. */
const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/** What has happened since the counts were taken last. */
export interface TakenCounts {
  /** Number of stored points of each user. */
  points: ReadonlyMap<number, number>;
  /** Number of responses of each status of refused requests. */
  refused: ReadonlyMap<number, number>;
}

/** Counts what one process has done, until the counts are taken. */
export class RecentCounts {
  private points = new Map<number, number>();
  private refused = new Map<number, number>();

  addPoints(userId: number, count: number): void {
    this.points.set(userId, (this.points.get(userId) ?? 0) + count);
  }

  addResponse(status: number): void {
    if (REFUSED.has(status)) this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
  }

  /** Returns the counts, which begin at 0 again. */
  take(): TakenCounts {
    const { points, refused } = this;
    this.points = new Map();
    this.refused = new Map();
    return { points, refused };
  }

  /** Adds counts that were taken, but not recorded. */
  putBack({ points, refused }: TakenCounts): void {
    for (const [userId, count] of points) this.addPoints(userId, count);
    for (const [status, count] of refused) this.refused.set(status, (this.refused.get(status) ?? 0) + count);
  }
}
